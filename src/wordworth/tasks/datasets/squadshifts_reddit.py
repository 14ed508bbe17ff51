"""SQuADShifts, comments on Reddit (Miller et al. 2020)."""

from wordworth.tasks.datasets.squadshifts_new_wiki import shift

TASK = shift("squadshifts_reddit", "reddit", "this comment", 9803)
