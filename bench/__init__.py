"""How fast we are, as ratios against peers in one run. `make bench` prints the table."""
