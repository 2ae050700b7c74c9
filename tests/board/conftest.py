"""Hypothesis measures no time here: how long a check takes says nothing about the geometry."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
