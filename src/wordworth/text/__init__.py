"""Text input: read files as rows, and encode the texts of rows as tokens. Nothing here imports torch."""
