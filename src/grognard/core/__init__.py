"""What a rule is made of: questions, positions, distributions, systems. Knows no system and no reader."""
