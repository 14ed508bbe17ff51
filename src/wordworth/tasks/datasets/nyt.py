"""SQuADShifts, a newspaper's articles (Miller et al. 2020)."""

from wordworth.tasks.datasets.new_wiki import shift

TASK = shift("nyt", "this paragraph of a newspaper", 10_065)
