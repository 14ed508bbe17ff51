"""A `Record` becomes one self-contained HTML page."""
