"""A model, an objective and batches become a better model."""
