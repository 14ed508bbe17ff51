import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.models.load import load
from wordworth.models.static.distillation.layer_states import Layer
from wordworth.progress import SILENT

TEXTS = ["the film was good", "a dreadful book"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return load(write_tiny_encoder(tmp_path_factory.mktemp("layer") / "tiny"))


def whole_words(encoder, count=12):
    """Words that the encoder reads as one piece, with the ids of the pieces."""
    words = [word for text in TEXTS for word in text.split()]
    ids = {word: encoder.tokenizer.ids([word])[0][encoder.tokenizer.prefix : -1] for word in words}
    single_piece_words = {word: int(pieces[0]) for word, pieces in ids.items() if len(pieces) == 1}
    assert single_piece_words
    return dict(list(single_piece_words.items())[:count])


@pytest.mark.parametrize("number", [0, 1, 2])
def test_words_have_the_states_of_their_layer(encoder, number):
    assert np.array_equal(Layer(encoder, number).words(TEXTS), encoder.states(TEXTS, [0, 1, 2]).layer(number))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_piece_that_is_read_alone_has_the_state_of_a_text_of_it_alone(encoder, number):
    words = whole_words(encoder)
    states = Layer(encoder, number).pieces(list(words.values()), SILENT, around=False)
    for row, word in zip(states, words, strict=True):
        assert row == pytest.approx(encoder.states([word], number).layer(number)[0], abs=1e-5)


@pytest.mark.parametrize("number", [0, 2])
def test_with_what_is_around_it_a_piece_is_the_mean_over_it_and_the_special_tokens(encoder, number):
    words = whole_words(encoder)
    states = Layer(encoder, number).pieces(list(words.values()), SILENT, around=True)
    for row, word in zip(states, words, strict=True):
        assert row == pytest.approx(encoder.pooled_layers([word])[0, number], abs=1e-5)


def test_no_pieces_have_no_states_of_the_same_width(encoder):
    assert Layer(encoder, 1).pieces([], SILENT, around=True).shape == (0, encoder.width)
