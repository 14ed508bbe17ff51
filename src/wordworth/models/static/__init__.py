"""Tables of vectors, one file a format."""
