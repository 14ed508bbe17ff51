"""File formats of rows, one file each: how rows are read, streamed or whole, and written."""
