"""Several battles at once: comparisons and sweeps."""
