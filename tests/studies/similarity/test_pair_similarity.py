"""The cosine of two texts is taken apart exactly; leaving words out is done by reading the text anew."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

import wordworth as ww
from wordworth.models.activation_taps import Taps
from wordworth.models.pooling import Dense, SentenceHead
from wordworth.studies.similarity.pair_similarity import PairSimilarity, delete_words
from wordworth.studies.similarity.word_parts_of_text_vector import read_units

FIRST, SECOND = "The cat sat because it was tired.", "A tired cat was sitting there."


@pytest.fixture(scope="module")
def encoder():
    return ww.load("minilm")


def compared(encoder, units="words", first=FIRST, second=SECOND):
    return PairSimilarity.of(*read_units(encoder, [first, second], units))


@pytest.mark.parametrize("units", ["words", "pieces"])
def test_the_cells_add_up_to_the_cosine_of_the_vectors_that_encode_gives(encoder, units):
    pair = compared(encoder, units)
    first, second = encoder.encode([FIRST, SECOND], normalize=True).astype(float)
    assert abs(pair.cosine - first @ second) < 1e-6
    exact = [units.parts.sum(0) for units in (pair.first, pair.second)]
    assert abs(pair.cosine - exact[0] @ exact[1] / np.prod([np.linalg.norm(v) for v in exact])) < 1e-12


def test_each_cell_is_the_dot_product_of_the_states_that_the_exact_model_gives(encoder):
    pair, name = compared(encoder, "pieces"), f"layers.{encoder.depth - 1}.output"
    states = [a.values[name].astype(float) for a in encoder.activations([FIRST, SECOND], Taps(read=(name,)))]
    lengths = np.prod([np.linalg.norm(of_text.mean(0)) for of_text in states])
    expected = states[0] @ states[1].T / (len(states[0]) * len(states[1]) * lengths)
    assert np.abs(pair.table - expected).max() < 1e-6


def test_kinds_of_cells_and_words_add_up_to_the_cosine(encoder):
    pair = compared(encoder)
    assert abs(pair.by_kind()[:-1].sum() - pair.cosine) < 1e-12
    words = pair.by_word()
    assert {"cat", "tired", "was", "the", "a"} <= set(words)
    special = sum(parts[list(units.is_special)].sum() / 2 for units, parts in pair.sides)
    assert abs(sum(contribution for contribution, _ in words.values()) + special - pair.cosine) < 1e-12
    assert all(0 < expected < pair.cosine for _, expected in words.values())


def test_a_word_alike_in_both_texts_whatever_its_case_is_the_same_word(encoder):
    same, different, _, _ = compared(encoder, first="Tired", second="tired").by_kind()
    assert same > 0
    assert different == 0


def test_a_drop_is_the_cosine_less_that_of_the_text_without_the_word(encoder):
    pair = compared(encoder)
    deletion = delete_words(encoder, pair)
    place = pair.first.names.index("tired")
    vectors = encoder.encode(["The cat sat because it was .", SECOND], normalize=True).astype(float)
    assert abs(deletion.drops[0][place] - (pair.cosine - vectors[0] @ vectors[1])) < 1e-6
    assert np.isnan(deletion.drops[0][0])
    contributions = np.concatenate([parts for _, parts in pair.sides])
    drops = np.concatenate(deletion.drops)
    known = np.isfinite(drops)
    assert deletion.agreement == pytest.approx(spearmanr(contributions[known], drops[known]).statistic)


def test_a_pooled_drop_is_that_of_the_mean_over_the_other_states(encoder):
    pair = compared(encoder)
    place = pair.first.names.index("tired")
    ends = np.cumsum(pair.first.tokens)
    others = np.delete(pair.first.states.astype(float), np.s_[ends[place - 1] : ends[place]], axis=0).mean(0)
    lengths = np.linalg.norm(others) * np.linalg.norm(pair.second.vector)
    drop = pair.cosine - others @ pair.second.vector / lengths
    assert abs(delete_words(encoder, pair).pooled_drops[0][place] - drop) < 1e-12


@pytest.mark.parametrize("activation", [None, "torch.nn.modules.activation.Tanh"])
def test_words_are_left_out_of_a_maximum_and_under_an_activation(encoder, activation):
    steps = () if activation is None else (Dense(torch.eye(384), None, activation),)
    pooled = replace(encoder, head=SentenceHead(("max",), steps))
    pair = compared(pooled, first="the old cat", second="a young dog")
    first, second = pooled.encode(["the old cat", "a young dog"], normalize=True).astype(float)
    assert abs(pair.cosine - first @ second) < 1e-6
    assert pair.has_parts == (activation is None)
    assert np.isnan(pair.by_kind()[:-1]).all() == (activation is not None)
    deletion = delete_words(pooled, pair)
    place = pair.first.names.index("old")
    others = np.delete(pair.first.states.astype(float), place, axis=0).max(0)
    others = others if activation is None else np.tanh(others)
    lengths = np.linalg.norm(others) * np.linalg.norm(pair.second.vector)
    assert abs(deletion.pooled_drops[0][place] - (pair.cosine - others @ pair.second.vector / lengths)) < 1e-6
    drops, pooled_drops = (np.concatenate(each) for each in (deletion.drops, deletion.pooled_drops))
    words = np.isfinite(drops)
    assert deletion.pooled_agreement == pytest.approx(spearmanr(pooled_drops[words], drops[words]).statistic)


def test_two_words_have_no_rank_agreement(encoder):
    pair = compared(encoder, first="cat", second="dog")
    assert delete_words(encoder, pair).agreement is None


def test_the_prompt_is_read_with_a_text_that_lacks_a_word(encoder):
    prompted = replace(encoder, prompt="query: ")
    pair = compared(prompted)
    deletion = delete_words(prompted, pair)
    place = pair.first.names.index("tired")
    vectors = prompted.encode(["The cat sat because it was .", SECOND], normalize=True).astype(float)
    assert abs(deletion.drops[0][place] - (pair.cosine - vectors[0] @ vectors[1])) < 1e-6
