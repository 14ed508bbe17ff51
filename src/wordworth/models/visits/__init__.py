"""Encoders of sets of codes: graph attention over an ontology, and a transformer without positions."""
