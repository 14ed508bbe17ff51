"""Readers of files of rows, one for each format: CSV, TSV, JSON Lines, Parquet, CoNLL."""
