"""Exact odds, best decisions, luck and simulation, over one graph of a battle's positions."""
