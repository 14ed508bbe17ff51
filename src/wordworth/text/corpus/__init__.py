"""Pretraining corpora: from raw text to a store of tokens, and from the store to sequences; without torch."""
