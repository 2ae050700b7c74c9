"""Live battles: players and spectators at one table, over the network."""
