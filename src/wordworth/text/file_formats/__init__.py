"""File formats, one file each: how their rows are read, streamed or whole, and written."""
