"""Hypothesis measures no time: how long a check takes says nothing about what it checks."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
