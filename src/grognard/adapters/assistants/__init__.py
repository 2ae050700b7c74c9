"""Battles for assistants, by the Model Context Protocol: `pip install 'grognard[mcp]'`, then `grognard mcp`."""
