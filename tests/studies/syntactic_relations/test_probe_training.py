"""Probes find a tree that maps hold and nothing in maps of noise."""

import numpy as np
import pytest
from tests.studies.new_parts import new_parts

from wordworth.studies.syntactic_relations import probe_training
from wordworth.studies.syntactic_relations.probe_training import (
    ATTENTION,
    ATTENTION_AND_WORDS,
    RANDOM,
    probe_results,
)
from wordworth.studies.treebank_sample import probe_split
from wordworth.training.probes.word_pairs import ProbedSentence, pairs_of

SENTENCES, MAPS = 120, 6


def simulated(seed, holds_tree):
    """Sentences with random trees; the maps of some hold it: the fourth is 0.9 from a word to its head."""
    rng, sentences = np.random.default_rng(seed), []
    for _ in range(SENTENCES):
        words = int(rng.integers(4, 10))
        order = rng.permutation(words)
        heads = np.full(words, words)
        for place, word in enumerate(order[1:], start=1):
            heads[word] = order[rng.integers(place)]
        dependents, candidates = pairs_of(words)
        maps = rng.dirichlet(np.ones(words + 1), (words * words, MAPS))[..., 0]
        if holds_tree:
            maps[:, 3] = np.where(heads[dependents] == candidates, 0.9, 0.1 / words)
        vectors = rng.normal(size=(words, 4)).astype(np.float32)
        sentences.append(ProbedSentence(maps.astype(np.float16), vectors, heads, np.ones(words, bool)))
    return sentences


class Inputs:
    """The sentences of a study whose two models are 0, which holds the tree, and 1, which does not."""

    def __init__(self):
        self.of_model = {model: simulated(5, holds_tree=model == 0) for model in (0, 1)}

    def read(self, model, rows, step):
        for row in rows:
            step.advance(1)
            yield self.of_model[model][row]

    def keep(self, model, rows, step):
        lengths = [len(self.of_model[model][row]) for row in rows]
        return probe_training.ProbedSentences.of(self.read(model, rows, step), lengths)


@pytest.fixture(scope="module")
def results():
    split = probe_split(np.arange(SENTENCES), np.ones(SENTENCES), 0, "t.conllu")
    return split, probe_results(Inputs(), (0, 1), split, 0, new_parts())


def test_maps_that_hold_the_tree_are_read_and_noise_is_not(results):
    split, found = results
    lengths = np.array([len(each) for each in simulated(5, holds_tree=True)])[split.test]
    shares = {name: result.right.sum() / lengths.sum() for name, result in found.items()}
    chance = len(lengths) / lengths.sum()  # each word has as many candidates as its sentence has words
    assert shares[ATTENTION] > 0.99
    assert shares[ATTENTION_AND_WORDS] > 0.9
    for name in ("words alone", RANDOM.format(ATTENTION), RANDOM.format(ATTENTION_AND_WORDS)):
        assert shares[name] < chance + 0.12, name


def test_each_probe_is_trained_with_two_seeds_at_the_best_of_its_rates(results):
    _, found = results
    for name, result in found.items():
        assert (result.again is None) == ("random" in name)
    assert found[ATTENTION].parameters == MAPS + 1
    assert found[ATTENTION].again.sum() == pytest.approx(found[ATTENTION].right.sum(), rel=0.02)
    assert (found["words alone"].again != found["words alone"].right).any()
