"""The command line: its commands, what they show and what they ask."""
