"""Pure geometry: squares, hexes and measured tables, lines of sight, arcs of fire. It knows no units and no rules."""
