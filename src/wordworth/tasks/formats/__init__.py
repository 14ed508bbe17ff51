"""The file layouts of published data sets: which files hold which part, and what their columns mean."""
