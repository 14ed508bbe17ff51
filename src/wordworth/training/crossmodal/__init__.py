"""Training on sequences of words, of codes, and of pairs of words and codes that do or do not belong together."""
