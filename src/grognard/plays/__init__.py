"""Battles being played: answers, machine dice, logs, replay."""
