"""Geometry of vectors in context: similarity of a word's occurrences, and how much of it the space alone explains."""
