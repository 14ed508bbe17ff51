"""From the rows of a file to the examples, labels and splits of a task."""
