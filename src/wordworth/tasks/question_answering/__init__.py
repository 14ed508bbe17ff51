"""Answers that stand in a context: windows over long contexts, and from scores back to the answer's text."""
