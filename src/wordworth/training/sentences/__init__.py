"""Training of sentence vectors: losses over pairs and triples of texts, gradients cached for batches of any size."""
