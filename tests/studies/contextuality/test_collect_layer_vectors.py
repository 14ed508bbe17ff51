"""What is collected while layers stream past is what a loop finds."""

import numpy as np
import pytest
import torch
from tests.measures.geometry import pairwise
from tests.studies.contextuality import made_up
from tests.studies.contextuality.made_up import layer_data

from wordworth.studies.contextuality import layer_measures


@pytest.fixture(scope="module")
def found(seen):
    return layer_measures.compute_measures(seen)


def occurrences(word, layer, texts):
    """A word's vectors, found by hand."""
    model, rows = made_up.MadeUp(), []
    for text in texts:
        vectors = model.vectors([text])[layer]
        rows += [vectors[place] for place, one in enumerate(text.split()) if one == word]
    return np.array(rows, float)


def test_self_similarity_is_that_of_the_occurrences_found_by_hand(seen):
    texts = made_up.sentences()
    rarest = np.argsort(seen.plan.members.counts)[:3]
    for place in rarest:
        word = seen.stream.forms[seen.plan.words[place]]
        for layer in range(3):
            mine = occurrences(word, layer, texts)
            assert len(mine) == seen.plan.members.counts[place]
            assert seen.collected.words[place, layer] == pytest.approx(pairwise.mean_cosine(mine), abs=1e-6)
    assert seen.plan.members.counts.sum() == seen.collected.lengths.counts()[0].sum() - _others(seen)


def _others(seen):
    """Occurrences of words that stand in too few sentences."""
    return int((~np.isin(seen.stream.form, seen.plan.words)).sum())


@pytest.fixture
def two_threads():
    had = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(had)


@pytest.mark.usefixtures("two_threads")
def test_blocks_that_are_read_side_by_side_give_what_they_give_in_turn(seen):
    again = layer_data().collected
    for name in ("words", "null", "repeated", "set_vectors", "pool"):
        assert np.array_equal(getattr(again, name), getattr(seen.collected, name), equal_nan=True), name
    assert np.array_equal(again.sentences.to_mean, seen.collected.sentences.to_mean)


def test_the_whole_block_of_sentences_without_a_word_that_counts_is_passed_over():
    texts = made_up.sentences()
    found = layer_data((*texts[:64], *(", " * n + "w7" for n in range(1, 33)), *texts[64:]))
    plain = layer_data(texts)
    assert np.allclose(np.sort(found.collected.words, axis=0), np.sort(plain.collected.words, axis=0), atol=1e-6)


def test_repetitions_raise_self_similarity_and_are_told_apart():
    # of 2n occurrences in pairs of copies, a word meets its copy once and the 2(n - 1) others in pairs
    texts = made_up.sentences()
    twice = layer_data(texts, np.full(len(texts), 2))
    once = twice.collected.words[twice.plan.sampled]
    n = twice.plan.members.counts[twice.plan.sampled][:, None]
    assert twice.collected.repeated == pytest.approx((2 * (n - 1) * once + 1) / (2 * n - 1))
