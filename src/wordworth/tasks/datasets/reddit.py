"""SQuADShifts, comments on Reddit (Miller et al. 2020)."""

from wordworth.tasks.datasets.new_wiki import shift

TASK = shift("reddit", "this comment", 9803)
