"""Extractive question answering: split long contexts into windows, and turn scores of tokens into answer texts."""
