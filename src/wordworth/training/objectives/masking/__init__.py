"""Which tokens may be masked together, one file a rule."""
