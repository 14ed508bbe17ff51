"""Figures of heads: a head that was planted has the figures that it was planted with."""

import numpy as np
import pytest
from tests.measures.test_attention_maps import some_maps

from wordworth.studies.attention.tables import across_texts, attending, tables_of


def planted() -> np.ndarray:
    """Layer 1: head 1 attends to the token before, head 2 to [CLS], head 3 evenly; layer 2 likewise in other order."""
    before = np.eye(5, k=-1, dtype=np.float32)
    before[0, 0] = 1
    first = np.zeros((5, 5), np.float32)
    first[:, 0] = 1
    heads = np.stack([before, first, np.full((5, 5), 0.2, np.float32)])
    return np.stack([heads, heads[::-1]])


def test_planted_heads_have_their_figures():
    rows = tables_of([some_maps(weights=planted(), words=None)])["heads"].rows()
    before, first, even = rows[:3]
    assert before["previous"] == pytest.approx(1.0)
    assert before["entropy"] == 0
    assert before["special"] == pytest.approx(1 / 3)
    assert (first["top"], first["top_share"], first["special"]) == ("[CLS]", 1.0, 1.0)
    assert even["entropy"] == pytest.approx(np.log(5))
    assert even["special"] == pytest.approx(0.4)
    assert (rows[5]["layer"], rows[5]["head"]) == (2, 3)
    assert rows[5]["previous"] == pytest.approx(1.0)
    assert all(row["across"] is None and row["difference"] is None for row in rows)


def test_what_tokens_receive_adds_up_to_1():
    rows = tables_of([some_maps()])["tokens"].rows()
    assert sum(row["received"] for row in rows) == pytest.approx(1.0, abs=1e-5)
    assert [row["position"] for row in rows] == [1, 2, 3, 4, 5]


def test_attention_across_texts_is_between_words_alone():
    weights = np.zeros((1, 1, 5, 5), np.float32)
    weights[0, 0, [0, 4], [0, 4]] = 1  # special tokens attend to themselves
    weights[0, 0, 1, 3] = weights[0, 0, 2, 4] = weights[0, 0, 3, 1] = 1
    maps = some_maps(weights=weights, second=3, words=None)
    assert across_texts(maps) == pytest.approx(np.array([[2 / 3]]))
    assert tables_of([maps])["heads"].rows()[0]["across"] == pytest.approx(2 / 3)


def test_two_models_differ_by_nothing_from_themselves_and_other_tokens_are_not_compared():
    one = some_maps(0)
    same = tables_of([one, some_maps(0, name="second")])["heads"].rows()
    assert max(row["difference"] for row in same) < 1e-6
    other = tables_of([one, some_maps(1, name="second")])["heads"].rows()
    assert min(row["difference"] for row in other) > 0.01
    unlike = tables_of([one, some_maps(1, name="second", tokens=tuple("abcde"))])["heads"].rows()
    assert all(row["difference"] is None for row in unlike)


def test_where_all_tokens_are_special_all_attend():
    maps = some_maps(special=np.ones(5, bool))
    assert attending(maps).all()
    assert all(row["special"] == pytest.approx(1.0, abs=1e-5) for row in tables_of([maps])["heads"].rows())
