"""Pretraining: from token stores to a language model: recipe, plan, loop, checkpoints, and the model folder."""
