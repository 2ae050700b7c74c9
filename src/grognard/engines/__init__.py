"""Readers of rules: play, odds, advice, simulation, replay. They know no system by name."""
