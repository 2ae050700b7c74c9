"""Battles in the hands of AI frameworks. Each module needs its library: `pip install 'grognard[ai]'`."""
