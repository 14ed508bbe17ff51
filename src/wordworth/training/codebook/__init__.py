"""Training of codebooks: hierarchical k-means over features of any size."""
