"""Words on a terminal: the commands, what they show and what they ask."""
