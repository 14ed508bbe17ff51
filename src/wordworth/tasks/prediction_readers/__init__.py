"""Readers of prediction files: parse a file and match its predictions with the examples of a named task's part."""
