"""Text input: files become rows, rows become tokens. Nothing here imports torch."""
