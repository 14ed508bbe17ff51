"""Train a model: objectives, batches, optimisers, the loop, checkpoints."""
