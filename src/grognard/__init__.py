"""Combat in tabletop wargames: play it, and know the exact odds."""
