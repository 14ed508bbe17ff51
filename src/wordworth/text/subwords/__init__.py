"""Vocabularies of subwords and their training: WordPiece, byte-level byte pairs, and unigrams."""
