"""Files become rows, rows become tokens. Nothing here knows of torch."""
