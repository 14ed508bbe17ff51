"""From a data set to examples, labels, a split and a metric: one file for each kind of task."""
