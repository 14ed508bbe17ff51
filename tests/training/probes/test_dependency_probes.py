"""Each probe's scores are those of its formula, written as loops."""

import numpy as np
import pytest
import torch

from wordworth.training.probes.dependency_probes import (
    DISTANCES,
    AttentionAndWordsProbe,
    AttentionProbe,
    WordsProbe,
    distance_features,
)
from wordworth.training.probes.word_pairs import ProbedSentence, WordPairs, pairs_of

WORDS, MAPS, WIDTH = 4, 3, 5


@pytest.fixture
def sentence():
    rng = np.random.default_rng(0)
    maps, vectors = rng.random((WORDS**2, MAPS)).astype(np.float32), rng.normal(size=(WORDS, WIDTH)).astype(np.float32)
    return ProbedSentence(maps, vectors, np.array([1, 4, 1, 2]), np.ones(WORDS, bool))


def drawn(probe):
    """The probe with random weights, so that no term of its formula is 0."""
    generator = torch.Generator().manual_seed(1)
    for parameter in probe.parameters():
        torch.nn.init.normal_(parameter, generator=generator)
    return probe


def vector(sentence, node):
    """The static vector of a node; that of the root, the last one, is 0."""
    return np.zeros(WIDTH) if node == WORDS else sentence.vectors[node].astype(np.float64)


def expected(score, root):
    return [
        score(pair, dependent, candidate) + root * (candidate == WORDS)
        for pair, (dependent, candidate) in enumerate(zip(*pairs_of(WORDS), strict=True))
    ]


def numbers(tensor):
    return tensor.detach().double().numpy()


def test_attention_alone_is_a_weighted_sum_of_maps(sentence):
    probe = drawn(AttentionProbe(MAPS))
    weights = numbers(probe.weights)
    sums = expected(lambda pair, *_: sentence.maps[pair] @ weights, float(numbers(probe.root)))
    assert numbers(probe(WordPairs.of([sentence]))) == pytest.approx(np.array(sums), abs=1e-4)


def test_with_words_the_weights_are_linear_in_both_vectors(sentence):
    probe = drawn(AttentionAndWordsProbe(MAPS, WIDTH))
    of_dependent, bias = numbers(probe.of_dependent.weight), numbers(probe.of_dependent.bias)
    of_candidate = numbers(probe.of_candidate.weight)

    def score(pair, dependent, candidate):
        weights = of_dependent @ vector(sentence, dependent) + of_candidate @ vector(sentence, candidate)
        return (weights / np.sqrt(WIDTH) + bias) @ sentence.maps[pair]

    sums = expected(score, float(numbers(probe.root)))
    assert numbers(probe(WordPairs.of([sentence]))) == pytest.approx(np.array(sums), abs=1e-4)


@pytest.mark.parametrize("distances", [True, False])
def test_the_control_reads_words_and_distances_and_no_attention(sentence, distances):
    probe = drawn(WordsProbe(WIDTH, distances=distances, hidden=6))
    weights = {name: numbers(parameter) for name, parameter in probe.named_parameters()}

    def score(_, dependent, candidate):
        hidden = weights["of_dependent.weight"] @ vector(sentence, dependent) + weights["of_dependent.bias"]
        hidden = hidden + weights["of_candidate.weight"] @ vector(sentence, candidate)
        if distances:
            offset = 0 if candidate == WORDS else candidate - dependent
            near = [offset == each for each in (-2, -1, 1, 2)]
            features = [min(offset, 0) / WORDS, max(offset, 0) / WORDS, *near, candidate == WORDS]
            hidden = hidden + weights["of_distance.weight"] @ np.array(features, float)
        return float(weights["output.weight"][0] @ np.tanh(hidden))

    sums = expected(score, float(numbers(probe.root)))
    assert numbers(probe(WordPairs.of([sentence]))) == pytest.approx(np.array(sums), abs=1e-4)


def test_the_root_is_at_no_distance():
    rng = np.random.default_rng(0)
    one = ProbedSentence(rng.random((1, MAPS)), np.zeros((1, WIDTH), np.float32), np.array([1]), np.ones(1, bool))
    assert distance_features(WordPairs.of([one])).tolist() == [[0.0] * (DISTANCES - 1) + [1.0]]


def test_scores_that_are_linear_begin_at_zero_and_hidden_units_differ():
    generator = torch.Generator().manual_seed(0)
    for probe in (AttentionProbe(MAPS), AttentionAndWordsProbe(MAPS, WIDTH)):
        drawn(probe).initialise(generator)
        assert all(not parameter.any() for parameter in probe.parameters())
    control = WordsProbe(WIDTH, distances=True)
    control.initialise(generator)
    assert len(control.output.weight.unique()) > 200
