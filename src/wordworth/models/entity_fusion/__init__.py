"""Encoders that fuse vectors of entities into the text in which the entities are mentioned (ERNIE of Tsinghua)."""
