"""The ladder: every way of turning text into predictions, cheapest first, one file per rung."""
