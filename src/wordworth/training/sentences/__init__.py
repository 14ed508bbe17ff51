"""Training of sentence vectors: losses over pairs and triples of texts, hard negatives, batches of any size."""
