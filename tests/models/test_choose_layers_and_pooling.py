"""Layers and poolings that are chosen give the vectors of bert-as-service: joined states, pooled by hand."""

import numpy as np
import pytest
from tests.serving.served import tiny_encoder

from wordworth.errors import BadInput
from wordworth.models.choose_layers_and_pooling import with_layers_and_pooling
from wordworth.models.token_contributions import token_states

TEXTS = ["a bad cab", "the zebra", "", "a b " * 30]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("choose") / "tiny")


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("layers", [-2, [-1], [1, 2], [2, 0, 1]])
def test_the_mean_of_layers_is_that_of_each_joined(encoder, layers):
    chosen = with_layers_and_pooling(encoder, layers, ["mean"])
    by_layer = encoder.pooled_layers(TEXTS, layers=layers, long_texts="window")
    wanted = by_layer.reshape(len(TEXTS), -1)
    wanted = unit(wanted) if encoder.head.steps else wanted
    assert chosen.width == wanted.shape[1]
    np.testing.assert_allclose(chosen.encode(TEXTS, long_texts="window"), wanted, atol=1e-5)


def test_poolings_are_joined_and_taken_of_all_tokens(encoder):
    chosen = with_layers_and_pooling(encoder, [1, 2], ["mean", "max", "cls", "lasttoken"])
    states = token_states(chosen, chosen.tokenize(TEXTS))
    assert states[0].shape[1] == 2 * encoder.model.width
    wanted = np.stack([np.concatenate([of.mean(0), of.max(0), of[0], of[-1]]) for of in states])
    wanted = unit(wanted) if encoder.head.steps else wanted
    np.testing.assert_allclose(chosen.encode(TEXTS, long_texts="window"), wanted, atol=1e-5)


def test_a_vector_is_the_same_alone_and_in_a_batch(encoder):
    chosen = with_layers_and_pooling(encoder, -2, ["max"])
    alone = np.stack([chosen.encode(text, long_texts="window") for text in TEXTS])
    np.testing.assert_allclose(chosen.encode(TEXTS, long_texts="window"), alone, atol=1e-5)


@pytest.mark.parametrize("pooling", [[], ["max", "cls"]])
def test_without_special_tokens_words_alone_are_pooled(encoder, pooling):
    """The third text has no word, and is pooled with its special tokens; the fourth is read in windows."""
    chosen = with_layers_and_pooling(encoder, None, pooling, special_tokens=False)
    states = [of[1:-1] if len(of) > 2 else of for of in token_states(encoder, encoder.tokenize(TEXTS))]
    by_hand = {"mean": lambda of: of.mean(0), "max": lambda of: of.max(0), "cls": lambda of: of[0]}
    wanted = np.stack([np.concatenate([by_hand[name](of) for name in pooling or ["mean"]]) for of in states])
    wanted = unit(wanted) if encoder.head.steps else wanted
    vectors = chosen.encode(TEXTS, long_texts="window")
    np.testing.assert_allclose(vectors, wanted, atol=1e-5)
    whole = with_layers_and_pooling(encoder, None, pooling)
    assert np.abs(vectors[0] - whole.encode(TEXTS[0])).max() > 1e-3
    assert chosen.head.fingerprint != whole.head.fingerprint


def test_nothing_chosen_is_the_encoder_itself(encoder):
    assert with_layers_and_pooling(encoder) is encoder


def test_what_is_not_there_is_refused(encoder):
    with pytest.raises(BadInput, match="no pooling 'men'; did you mean 'mean'"):
        with_layers_and_pooling(encoder, None, ["men"])
    with pytest.raises(BadInput, match="there is no layer -4; this model has layers 0 to 2"):
        with_layers_and_pooling(encoder, -4)
