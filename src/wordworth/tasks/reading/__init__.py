"""Read a user's files as tasks: from rows to examples, labels and splits."""
