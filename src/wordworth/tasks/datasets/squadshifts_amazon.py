"""SQuADShifts, product reviews (Miller et al. 2020)."""

from wordworth.tasks.datasets.squadshifts_new_wiki import shift

TASK = shift("squadshifts_amazon", "amazon_reviews", "this product review", 9885)
