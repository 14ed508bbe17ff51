"""States aligned to words: what they hold, and what does not fit into memory."""

import numpy as np
import pytest

from wordworth.errors import BadInput, NotEnoughMemory
from wordworth.models.hidden_states import pieces_of_words, require_finite, room_for_states
from wordworth.text.tokens import Tokens

TEXT = "the abs cab"


def test_states_have_a_row_for_each_word_and_are_found_by_the_number_of_their_layer(tiny):
    states = tiny.states([TEXT, "a"], layers=(2, 0))
    assert states.words == ("the", "abs", "cab", "a")
    assert states.sentences.tolist() == [0, 0, 0, 1]
    assert [TEXT[start:end] for start, end in states.spans[:3]] == ["the", "abs", "cab"]
    assert len(states) == states.values.shape[1] == 4
    assert np.array_equal(states.layer(0), states.values[1])
    with pytest.raises(LookupError, match="layer 1 is not among"):
        states.layer(1)


def test_a_word_without_pieces_is_all_zeros(tiny):
    states = tiny.word_states([("a", "\x00", "b")])
    assert states.pieces.tolist() == [1, 0, 1]
    assert not states.values[:, 1].any()
    assert states.values[:, 0].any()


def test_room_is_zeros_and_more_than_the_machine_has_is_refused_with_how_much():
    assert room_for_states(3, 2, 4).shape == (3, 2, 4)
    assert not room_for_states(3, 2, 4).any()
    with pytest.raises(NotEnoughMemory, match=r"states of 1,000,000,000,000 words under 12 layers take .* GB"):
        room_for_states(10**12, 12, 768)


def test_pieces_are_counted_by_word():
    words = np.array([-1, 0, 0, 2, -1], np.int32)
    tokens = Tokens(np.arange(5), np.zeros(5, np.int64), np.zeros((5, 2), np.int32), words)
    assert pieces_of_words(tokens, ("unbound", "\x00", "a")).tolist() == [2, 0, 1]


def test_vectors_that_are_no_numbers_are_refused_with_advice():
    assert require_finite(np.ones((2, 2), np.float32), "mine").sum() == 4
    with pytest.raises(BadInput, match="mine gives vectors with NaN or infinity; wordworth doctor"):
        require_finite(np.array([[1, np.inf]], np.float32), "mine")
