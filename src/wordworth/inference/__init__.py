"""Uses of finished models: predictions for files, vectors in bulk, filled masks, likelihoods, export, checks."""
