"""Heads: the estimators from features to predictions, the same for every representation."""
