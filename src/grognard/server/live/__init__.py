"""Live battles: players far apart, and whoever watches, at one table."""
