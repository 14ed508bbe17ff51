"""Analogies: the answer of the plain formula, in blocks of any size, without the question's own words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.words import analogies
from wordworth.measures.words.analogies import Questions, answers, scores


def rows(*vectors: tuple[float, ...]) -> np.ndarray:
    return unit_or_zero(np.array(vectors, dtype=np.float32)).astype(np.float32)


@pytest.mark.parametrize(
    ("method", "answer", "values"), [("add", 0, [0.913009, 0.222234]), ("mul", 1, [0.967612, 1.282706])]
)
def test_the_two_methods_may_disagree(method, answer, values):
    candidates = rows((0.4, 0.9, 0.3), (-0.8, 0.5, 0.3))
    known = rows((1, 0, 0)), rows((0.8, 0.6, 0)), rows((0.6, 0, 0.8))
    asked = Questions(*known, own_words=np.full((1, 3), -1))
    assert scores(candidates, asked, method)[0] == pytest.approx(values, abs=1e-6)
    assert answers(candidates, asked, method).tolist() == [answer]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_blocks_give_what_a_loop_over_questions_gives(seed, at_once):
    rng = np.random.default_rng(seed)
    table = unit_or_zero(rng.normal(size=(12, 5))).astype(np.float32)
    asked = rng.integers(12, size=(7, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analogies, "_AT_ONCE", 12 * at_once)
        found = answers(table, Questions(*(table[asked[:, side]] for side in range(3)), own_words=asked))
    for (a, b, c), answer in zip(asked, found, strict=True):
        cosines = table @ (table[b] - table[a] + table[c])
        cosines[[a, b, c]] = -np.inf
        assert cosines[answer] >= cosines.max() - 1e-5
        assert answer not in (a, b, c)
