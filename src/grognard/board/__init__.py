"""Pure geometry: squares and hexes, lines of sight and arcs of fire. Knows no unit and no rule."""
