"""Architectures, checkpoints and static tables: a packed `Batch` becomes states."""
