"""Sweeps: a base battle, the things that vary in it, and exact odds for every match-up, here or on a cluster."""

from grognard.studies.sweeps.run import Interrupted, Stopped, sweep
from grognard.studies.sweeps.tables import Table

__all__ = ["Interrupted", "Stopped", "Table", "sweep"]
