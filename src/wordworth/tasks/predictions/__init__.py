"""Anyone's predictions for a part of a named task, read from their file and held against what the part asks."""
