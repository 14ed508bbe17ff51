"""SQuADShifts, a newspaper's articles (Miller et al. 2020)."""

from wordworth.tasks.datasets.squadshifts_new_wiki import shift

TASK = shift("squadshifts_nyt", "nyt", "this paragraph of a newspaper", 10_065)
