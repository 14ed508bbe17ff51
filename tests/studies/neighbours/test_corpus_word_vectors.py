"""Vectors of words in their sentences: those of the model, of the layer or head that was asked for."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny
from tests.models.tiny_elmo import write_elmo

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps
from wordworth.models.load import load
from wordworth.studies.neighbours.corpus_word_vectors import NOT_A_WORD, word_vectors
from wordworth.studies.neighbours.tagged_text import plain_text


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return load(write_tiny(tmp_path_factory.mktemp("tiny")))


def test_states_of_a_layer_are_those_of_the_encoder(encoder):
    texts = [plain_text("the as."), plain_text("a cat, the dog")]
    read = word_vectors(encoder, texts, -1, None)
    states = encoder.states([text.text for text in texts], layers=[0, -1])
    assert np.abs(read.vectors - states.layer(2)).max() < 1e-4
    assert np.abs(read.inputs - states.layer(0)).max() < 1e-4
    assert read.text.tolist() == states.sentences.tolist()
    assert read.position.tolist()[:3] == [0, 1, 2]


def test_the_output_of_a_head_is_that_of_the_tap(encoder):
    read = word_vectors(encoder, [plain_text("a b")], 2, 3)
    [text] = encoder.activations(["a b"], Taps(read=("layers.1.attention.heads",)))
    assert read.vectors == pytest.approx(text.values["layers.1.attention.heads"][1:3, 2], abs=1e-5)


def test_texts_that_are_too_long_are_left_out(encoder):
    read = word_vectors(encoder, [plain_text("a " * 40), plain_text("a b")], -1, None)
    assert [text.text for text in read.texts] == ["a b"]
    with pytest.raises(BadInput, match="more than 24 tokens"):
        word_vectors(encoder, [plain_text("a " * 40)], -1, None)


@pytest.mark.parametrize(("layer", "head"), [(0, 1), (1, 5), (9, None)])
def test_a_layer_or_head_that_is_not_there_is_refused(encoder, layer, head):
    with pytest.raises(BadInput):
        word_vectors(encoder, [plain_text("a")], layer, head)


def test_a_model_without_attention_has_vectors_of_its_layers(tmp_path):
    elmo = load(write_elmo(tmp_path / "elmo"))
    texts = ["the cat", "a dog sat"]
    read = word_vectors(elmo, [plain_text(text) for text in texts], -1, None)
    assert np.abs(read.vectors - elmo.states(texts, layers=-1).layer(2)).max() < 1e-4
    assert read.attended is None


def test_what_a_head_attends_to_most_is_the_word_with_the_largest_sum_over_its_pieces(encoder):
    texts = [plain_text("the as, a cab"), plain_text("a b")]
    read = word_vectors(encoder, texts, 2, 3)
    expected = []
    for each in encoder.activations([text.text for text in texts], Taps(read=("layers.1.attention.probabilities",))):
        words, attention = each.tokens.words, each.values["layers.1.attention.probabilities"][2]
        special = np.flatnonzero(words < 0)
        for word in range(words.max() + 1):
            row = attention[words == word].mean(0)
            sums = [row[words == other].sum() for other in range(words.max() + 1)]
            expected.append(NOT_A_WORD if row[special].max() > max(sums) else int(np.argmax(sums)))
    assert read.attended.tolist() == expected
    assert len(set(expected)) > 1
