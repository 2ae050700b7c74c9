"""Battles being played: plays, answers, machine dice, logs."""
