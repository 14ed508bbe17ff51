"""Judgements of pairs: codes that do not belong to the words are those of as many words."""

import numpy as np
import pytest
from tests.training.crossmodal.made_up import new_tiny_model, pairs

from wordworth.studies.crossmodal import caption_matching
from wordworth.studies.crossmodal.caption_matching import alignment_scores, judgement_hits


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
