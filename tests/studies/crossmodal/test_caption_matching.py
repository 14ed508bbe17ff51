"""Judgements of pairs, whose other codes are those of as many words; and searches both ways, by hand."""

import numpy as np
import pytest
from tests.training.crossmodal.made_up import new_tiny_model, pairs

from wordworth.studies.crossmodal import caption_matching
from wordworth.studies.crossmodal.caption_matching import (
    alignment_scores,
    judgement_hits,
    search_chances,
    search_hits,
    search_sets,
)


@pytest.fixture(scope="module")
def model():
    return new_tiny_model()


def test_length_does_not_tell_which_codes_do_not_belong(model, monkeypatch):
    seen = []
    monkeypatch.setattr(
        caption_matching, "alignment_scores", lambda _model, sides, _length: seen.append(sides) or np.zeros(len(sides))
    )
    own = pairs(40, most=3)
    judgement_hits(model, own, 24, 0)
    for (words, codes), (others, other_codes) in zip(*seen, strict=True):
        assert words is others
        assert len(codes) == len(other_codes)
        assert not np.array_equal(codes, other_codes)


def test_a_score_does_not_depend_on_the_pairs_beside_it(model):
    own = list(zip(pairs(9).words, pairs(9).codes, strict=True))
    whole = alignment_scores(model, own, 24)
    assert np.allclose([alignment_scores(model, [pair], 24)[0] for pair in own], whole, atol=1e-5)
    assert alignment_scores(model, [], 24).shape == (0,)


def test_where_all_words_are_the_same_another_pair_is_taken_all_the_same(model):
    same = pairs(5).take(np.zeros(4, dtype=np.int64))
    assert judgement_hits(model, same, 24, 0)[0].shape == (4,)


def test_the_chance_of_a_search_is_that_of_a_random_order():
    test = pairs(12)
    (rows,) = search_sets(12, 12, 0)
    _, chance = search_chances(test, 12, 0)
    draw = np.random.default_rng(0)
    same = [[np.array_equal(test.words[a], test.words[b]) for b in rows] for a in rows]
    orders = np.argsort(draw.random((4_000, 12)), axis=1)
    for row, own in zip(rows, np.array(same), strict=True):
        assert chance[row] == pytest.approx(own[orders[:, :5]].any(1).mean(), abs=0.04)


def test_sets_hold_every_pair_once():
    sets = search_sets(23, 10, 0)
    assert sorted(np.concatenate(sets)) == list(range(23))
    assert max(map(len, sets)) <= 10


def test_both_ways_are_counted_apart_and_equal_words_are_equally_right(monkeypatch):
    scores = np.array([[3.0, 1.0, 2.0], [9.0, 1.0, 0.0], [0.0, 0.0, 5.0]])
    monkeypatch.setattr(caption_matching, "score_matrix", lambda *_: scores)
    monkeypatch.setattr(caption_matching, "search_sets", lambda *_: [np.arange(3)])
    own = pairs(1).take(np.zeros(3, dtype=np.int64))
    own = type(own)([np.array([6]), np.array([7]), np.array([6])], own.codes)
    hits = [column.tolist() for column, _ in search_hits(None, own, 24, 3, 0)]
    assert hits[0] == [1, 0, 1]  # codes by words: the second caption's own codes come after the first's
    assert hits[2] == [0, 1, 1]  # words by codes: the first codes are nearest to the second caption
    assert hits[1] == hits[3] == [1, 1, 1]
