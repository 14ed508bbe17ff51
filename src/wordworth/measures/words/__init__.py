"""Benchmarks of single-word vectors: similarity, analogy, categories, relations."""
