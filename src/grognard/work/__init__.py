"""One pool of worker processes, and the tasks they run: plain data in, plain data out."""
