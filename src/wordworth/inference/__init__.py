"""What a finished model does for its user: vectors in bulk, gaps filled, likelihoods, checks of a checkpoint."""
