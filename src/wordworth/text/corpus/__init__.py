"""Raw text becomes a store of tokens, and the store the sequences that pretraining reads. No torch in here."""
