"""Readers of static tables, one file per format."""
