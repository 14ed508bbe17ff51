"""The gain of candidates for tau is a mean over data sets, each the mean of its draws, with a bootstrap over them."""

import pytest

from tau_candidates import summary


def row(name, draw, gain, *, equal=True):
    return {"rung": "tfidf", "set": name, "labels": 100, "draw": draw, "equal": equal, "before": 50.0, "now": 50 + gain}


def test_a_set_with_many_draws_counts_as_one_with_few():
    rows = [row("a", draw, 2.0) for draw in range(6)] + [row("b", 0, 0.0), row("c", 0, 9.0, equal=False)]
    equal, other = summary(rows)
    assert (equal["gain"], equal["sets"], equal["cells"]) == (1.0, 2, 7)
    assert (equal["low"], equal["high"]) == pytest.approx((0.0, 2.0))
    assert (equal["least"], equal["most"]) == (["b", 0.0], ["a", 2.0])
    assert (other["gain"], other["low"], other["high"]) == (9.0, 9.0, 9.0)
