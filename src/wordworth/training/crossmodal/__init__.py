"""Training on sequences of words and codes: both alone, together, and pairs that do not belong together."""
