"""Ways of reading dice, one file each."""
