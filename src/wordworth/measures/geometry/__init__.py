"""Geometry of contextual vectors: similarity of a word's occurrences, and the baselines of the vector space."""
