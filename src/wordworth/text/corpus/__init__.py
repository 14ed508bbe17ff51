"""From raw text to a store of tokens, and from the store to pretraining sequences. Nothing here imports torch."""
