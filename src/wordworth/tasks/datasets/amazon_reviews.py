"""SQuADShifts, product reviews (Miller et al. 2020)."""

from wordworth.tasks.datasets.new_wiki import shift

TASK = shift("amazon_reviews", "this product review", 9885)
