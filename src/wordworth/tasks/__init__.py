"""Data sets as tasks: examples, labels, a split, a metric and a kind of task; and the readers of their files."""
