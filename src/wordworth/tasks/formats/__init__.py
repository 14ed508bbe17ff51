"""How published data sets lie on a disk: which files hold which part, and what their columns mean."""
