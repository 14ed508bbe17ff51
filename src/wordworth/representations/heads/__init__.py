"""Heads: what turns features into predictions, the same for every representation."""
