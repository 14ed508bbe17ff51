"""Training: objectives, batches, optimisers, the loop, checkpoints; a package for each kind of training."""
