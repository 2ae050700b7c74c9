"""What people read, made once: numbers, summaries, tables, charts."""
