"""Ways of reading dice, one in each file."""
