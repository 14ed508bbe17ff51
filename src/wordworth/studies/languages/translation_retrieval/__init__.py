"""Retrieval of translations by layer, from pairs of texts that need no labels."""
