"""Encoders of the sets of medical codes, such as diagnoses, that patients' visits have.

The vectors of codes come from a table or from graph attention over an ontology of codes; a transformer without
positions reads a visit's set of codes.
"""
