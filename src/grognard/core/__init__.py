"""The parts that rules are made of: questions, positions, distributions, systems. Nothing here depends on a system."""
