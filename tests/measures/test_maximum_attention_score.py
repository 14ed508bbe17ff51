"""The maximum attention score, held to its definition (Klein and Nabi 2019) and to what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from wordworth.measures.maximum_attention_score import maximum_attention_scores

WEIGHTS = arrays(np.float64, array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=5), elements=st.floats(0, 1))


def by_hand(attention):
    """The paper's two loops, over layers and heads, whose numbers differ."""
    candidates, layers, heads = attention.shape
    sums = np.zeros(candidates)
    for layer in range(layers):
        for head in range(heads):
            column = attention[:, layer, head]
            for candidate in range(candidates):
                if column[candidate] == column.max():
                    sums[candidate] += column[candidate]
    return sums / sums.sum() if sums.sum() > 0 else np.full(candidates, 1 / candidates)


@given(WEIGHTS)
def test_it_is_the_papers_loop_and_sums_to_one(attention):
    scores = maximum_attention_scores(attention)
    assert scores == pytest.approx(by_hand(attention))
    assert scores.sum() == pytest.approx(1)


@given(WEIGHTS, st.floats(0.01, 100))
def test_scaling_all_attention_changes_nothing(attention, factor):
    attention = np.round(attention, 3)  # so that no ratio is lost
    assert maximum_attention_scores(factor * attention) == pytest.approx(maximum_attention_scores(attention))


def test_layers_may_be_more_or_fewer_than_heads():
    attention = np.zeros((2, 3, 1))
    attention[0, :2, 0], attention[1, 2, 0] = 0.2, 0.4
    assert maximum_attention_scores(attention).tolist() == [0.5, 0.5]


def test_where_one_candidate_has_most_in_every_head_it_has_all():
    attention = np.stack([np.full((4, 3), 0.3), np.full((4, 3), 0.2)])
    assert maximum_attention_scores(attention).tolist() == [1.0, 0.0]
