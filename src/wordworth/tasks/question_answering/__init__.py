"""Extractive question answering: windows over long contexts, and from scores back to the text of the answer."""
