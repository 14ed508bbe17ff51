"""Geometry of vectors in context: how alike a word's occurrences are, and how much of that is the space's own doing."""
