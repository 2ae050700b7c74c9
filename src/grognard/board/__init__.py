"""Pure geometry: squares and hexes."""
