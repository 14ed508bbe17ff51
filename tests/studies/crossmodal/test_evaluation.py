"""What is right of test pairs, measure by measure, also of a model that knows what belongs together."""

import numpy as np
import pytest
from tests.training.crossmodal.made_up import VOCABULARY, WORDS, new_tiny_model, pairs

from wordworth.studies.crossmodal import caption_matching, masked_prediction
from wordworth.studies.crossmodal.evaluation import MEASURES, evaluate


@pytest.fixture(scope="module")
def model():
    return new_tiny_model()


def test_there_is_an_answer_for_every_measure_and_none_is_right_more_often_than_there_are_answers(model):
    test = pairs(30)
    hits = evaluate(model, VOCABULARY, test, 24, 10, 0)
    assert hits.right.shape == hits.answers.shape == (30, len(MEASURES))
    assert ((hits.right >= 0) & (hits.right <= hits.answers)).all()
    assert (hits.answers[:, 1] == [len(ids) for ids in test.words]).all()
    assert (hits.answers[:, 3] == [len(ids) for ids in test.codes]).all()
    assert (hits.right[:, 2::2] >= hits.right[:, 1::2]).all()  # among five as among one


def test_who_knows_what_belongs_together_judges_and_searches_rightly(model, monkeypatch):
    def knowing(_model, sides, _length):
        return np.array(
            [1.0 if np.array_equal(np.repeat(words, 2) + len(WORDS), codes) else -1.0 for words, codes in sides]
        )

    monkeypatch.setattr(caption_matching, "alignment_scores", knowing)
    hits = evaluate(model, VOCABULARY, pairs(40), 24, 10, 0)
    right = dict(zip(MEASURES, hits.right.sum(0) / hits.answers.sum(0), strict=True))
    assert all(right[name] == 1 for name in MEASURES if " from " not in name)


def test_batches_of_any_size_give_the_same_answers(model, monkeypatch):
    whole = evaluate(model, VOCABULARY, pairs(20), 24, 10, 0)
    for module in (caption_matching, masked_prediction):
        monkeypatch.setattr(module, "_AT_ONCE", 7)
    assert np.array_equal(whole.right, evaluate(model, VOCABULARY, pairs(20), 24, 10, 0).right)
