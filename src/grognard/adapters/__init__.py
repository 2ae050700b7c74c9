"""Battles as games and environments of AI frameworks. Each module needs its library: `pip install 'grognard[ai]'`."""
