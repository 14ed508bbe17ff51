"""Extractive question answering: split long contexts into windows, and decode token scores into answer texts."""
