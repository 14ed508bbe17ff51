"""A layer that holds trees is chosen, its probe finds them in new sentences, and the controls do not."""

import numpy as np
import pytest
from tests.studies.new_parts import new_parts
from tests.training.probes.test_structural_probe import WIDTH, random_heads

from wordworth.measures.tree_embeddings import pythagorean
from wordworth.progress import STILL
from wordworth.studies.syntax import structural_probes
from wordworth.studies.syntax.sampled_trees import SyntaxSample, tree_of
from wordworth.studies.syntax.structural_probes import (
    AGAIN,
    CONTROL,
    KINDS,
    MODEL,
    SHUFFLED,
    UNSQUARED,
    StructuralProbeTrainer,
    best_probe,
    linear_chain,
    number_of_probes,
    ranks,
)
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.studies.treebank_sample import ProbeSplit
from wordworth.text.treebank import DependencySentence
from wordworth.training.probes.train_probe import ProbeTraining

NUMBER, RANK = 260, 12


def simulated(seed=0):
    """Sentences with random trees and three layers of vectors, of which the middle one holds them."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0]
    sentences, layers = [], []
    for row in range(NUMBER):
        heads = random_heads(rng, int(rng.integers(5, 9)))
        words = tuple(f"w{number}" for number in rng.integers(300, size=len(heads)))
        sentences.append(DependencySentence(words, heads, ("dep",) * len(heads), row, 1))
        tree = np.zeros((len(heads), WIDTH))
        tree[:, : len(heads) - 1] = pythagorean(heads)
        tree[:, 12:] = rng.normal(size=(len(heads), WIDTH - 12))
        layers.append(np.stack([rng.normal(size=tree.shape), tree @ turn, rng.normal(size=tree.shape)]))
    ends = np.cumsum([0, *map(len, sentences)])
    split = ProbeSplit(np.arange(140), np.arange(140, 180), np.arange(180, NUMBER))
    trees = [tree_of(sentence) for sentence in sentences]
    sample = SyntaxSample("t", sentences, [], trees, np.arange(NUMBER), split, {}, [])
    return sample, WordVectors(np.concatenate(layers, 1).astype(np.float16), ends)


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structural_probes, "TRAINING", ProbeTraining(rate=0.02, batch_size=20, passes=30, decay=0.3))
        sample, vectors = simulated()
        trainer = StructuralProbeTrainer(sample, 0, STILL, new_parts())
        layers = {kind: trainer.layers(MODEL, kind, RANK, vectors) for kind in KINDS}
        best = {kind: best_probe(layers[kind]) for kind in KINDS}
        others = {kind: list(trainer.others(best[kind], vectors)) for kind in KINDS}
        return sample, layers, best, others


def share(result):
    return result.scores.right.sum() / result.scores.total.sum()


def test_the_layer_with_the_trees_is_chosen_and_they_are_found(results):
    sample, layers, best, _ = results
    assert [best[kind].layer for kind in KINDS] == [1, 1]
    assert share(best["distance"]) > 0.9
    assert share(best["depth"]) > 0.9
    assert best["distance"].scores.correlation.mean() > 0.9
    assert best["distance"].scores.total.tolist() == [len(sample.sentences[row]) - 1 for row in sample.split.test]
    for kind, most in (("distance", 0.5), ("depth", 0.4)):
        assert share(layers[kind][0]) < most
        assert share(layers[kind][2]) < most


def test_controls_find_no_trees_and_another_seed_finds_as_many(results):
    _, _, best, others = results
    for kind in KINDS:
        found = {result.source: share(result) for result in others[kind]}
        assert abs(found[AGAIN] - share(best[kind])) < 0.06
        assert found[SHUFFLED] < 0.5
        assert share(best[kind]) - found[CONTROL] > 0.2
        assert found[UNSQUARED] <= share(best[kind]) + 0.03
        by_rank = {result.rank: share(result) for result in others[kind] if result.source == MODEL}
        assert list(by_rank) == ranks(WIDTH, RANK) == [1, 2, 4, 8, 16]
        assert by_rank[16] > by_rank[1]


def test_a_bar_of_progress_knows_how_many_probes_there_are(results):
    _, layers, _, others = results
    trained = sum(len(layers[kind]) * 2 + len(others[kind]) for kind in KINDS)  # random weights have as many layers
    assert number_of_probes(3, WIDTH, RANK) == trained


def test_a_linear_chain_finds_what_neighbours_are():
    sample, _ = simulated(1)
    chain = linear_chain("distance", sample)
    neighbours = [
        sum(abs(word - head) == 1 for word, head in enumerate(sample.sentences[row].heads) if head >= 0)
        for row in sample.split.test
    ]
    assert chain.scores.right.tolist() == neighbours
    assert np.isnan(chain.loss)
    roots = [sample.sentences[row].heads[0] < 0 for row in sample.split.test]
    assert linear_chain("depth", sample).scores.right.tolist() == roots
