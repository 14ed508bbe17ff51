"""Architectures, checkpoints and static tables: an encoder maps a packed `Batch` of tokens to hidden states."""
