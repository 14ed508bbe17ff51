"""Reciprocal rank fusion, by hand."""

import numpy as np
import pytest

from wordworth.retrieval.exact_search import Nearest
from wordworth.retrieval.rank_fusion import fused


def ranking(*rows):
    return Nearest(np.array(rows, np.int64), np.linspace(1, 0, len(rows)))


def test_a_row_high_in_both_comes_before_the_first_of_one():
    result = fused(ranking(1, 2, 3), ranking(4, 2, 5), 10)
    assert result.rows.tolist() == [2, 1, 4, 3, 5]
    assert result.scores[0] == pytest.approx(0.5 / 62 + 0.5 / 62)


@pytest.mark.parametrize(("weight", "first"), [(1.0, [1, 2, 3]), (0.0, [4, 2, 5])])
def test_all_the_weight_on_one_gives_its_ranking(weight, first):
    assert fused(ranking(1, 2, 3), ranking(4, 2, 5), 3, weight).rows.tolist() == first


def test_one_may_be_empty():
    assert fused(ranking(3, 1), ranking(), 5).rows.tolist() == [3, 1]
    assert fused(ranking(), ranking(), 5).rows.tolist() == []
