"""Which tokens are masked together, one file per rule."""
