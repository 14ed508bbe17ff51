"""Arrays in, numbers with intervals out. No torch, no files."""
