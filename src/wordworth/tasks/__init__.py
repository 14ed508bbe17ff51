"""A data set becomes examples, labels, a split and a metric: one file per kind of task."""
