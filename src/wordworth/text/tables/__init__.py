"""Files of rows, one file a format: CSV, TSV, JSON Lines, Parquet, CoNLL."""
