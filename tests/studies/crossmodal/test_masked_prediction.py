"""Completion of a side that is masked whole."""

import numpy as np
import pytest
from tests.training.crossmodal.made_up import VOCABULARY, new_tiny_model, pairs

from wordworth.studies.crossmodal.masked_prediction import masked_prediction_hits
from wordworth.training.crossmodal.sequences import Pairs


@pytest.fixture(scope="module")
def model():
    return new_tiny_model()


@pytest.mark.parametrize("side", [0, 1])
def test_exactly_one_token_of_four_is_ranked_first_whatever_is_right(model, side):
    """The model does not read what it names: over all words that could stand there, one answer is right."""
    own = pairs(12, most=1)
    firsts = []
    for number in range(4):
        ids = VOCABULARY.first_code - 4 + number
        words = [np.array([ids])] * 12 if side == 0 else own.words
        codes = [np.full(2, ids + 4)] * 12 if side == 1 else own.codes
        firsts.append(next(iter(masked_prediction_hits(model, VOCABULARY, Pairs(words, codes), side, 24)))[0])
    assert (np.sum(firsts, axis=0) == (1 if side == 0 else 2)).all()


def test_a_word_that_is_not_in_the_vocabulary_is_no_question(model):
    own = Pairs([np.array([1, 6])], [np.array([12])])
    (_, answers), _ = masked_prediction_hits(model, VOCABULARY, own, 0, 24)
    assert answers.tolist() == [1]
