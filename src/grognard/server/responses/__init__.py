"""What the API answers. The workers write these responses; the models document them."""
