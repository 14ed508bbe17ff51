"""Data sets as tasks: examples, labels, a split, a metric and the kind of task, and how these are read from files."""
