"""Structural probes: exact on vectors that hold the tree, losses counted by hand, and a map that training finds."""

import numpy as np
import pytest
import torch

from wordworth.measures.tree_embeddings import pythagorean, tree_depths, tree_distances
from wordworth.measures.tree_recovery import (
    Tree,
    depth_spearman,
    distance_spearman,
    is_root_found,
    right_edges,
)
from wordworth.training.probes.structural_probe import StructuralProbe, WordBatch
from wordworth.training.probes.train_probe import ProbeTraining, train_probe

WIDTH = 24


def random_heads(rng, words):
    order, heads = rng.permutation(words), np.full(words, -1)
    for place in range(1, words):
        heads[order[place]] = order[rng.integers(place)]
    return heads


def sentences(number, seed, noise=0.0):
    """Trees, and vectors in which they are: Pythagorean in dimensions of words, turned, between others of noise."""
    rng, states, trees = np.random.default_rng(seed), [], []
    turn = np.linalg.qr(np.random.default_rng(7).normal(size=(WIDTH, WIDTH)))[0]
    for _ in range(number):
        heads = random_heads(rng, int(rng.integers(2, 9)))
        vectors = np.zeros((len(heads), WIDTH))
        vectors[:, : len(heads) - 1] = pythagorean(heads)
        vectors[:, 12:] = noise * rng.normal(size=(len(heads), WIDTH - 12))
        states.append((vectors @ turn).astype(np.float32))
        trees.append(Tree(tree_distances(heads), tree_depths(heads), np.ones(len(heads), bool)))
    return states, trees, turn


def test_the_exact_map_has_no_loss_and_finds_every_edge_and_root():
    states, trees, turn = sentences(20, 0, noise=3.0)
    probe, batch = StructuralProbe(WIDTH, 12), WordBatch.of(states, trees)
    with torch.no_grad():
        probe.weight.copy_(torch.from_numpy(turn[:12]))
    assert probe.distance_loss(batch).sum.item() == pytest.approx(0, abs=1e-3)
    assert probe.depth_loss(batch).sum.item() == pytest.approx(0, abs=1e-3)
    with torch.inference_mode():
        distances, depths = probe.distances(batch).numpy(), probe.depths(batch).numpy()
    for row, tree in enumerate(trees):
        words = len(tree.depths)
        own = np.round(distances[row, :words, :words], 3), np.round(depths[row, :words], 3)
        assert right_edges(tree, own[0]) == (words - 1, words - 1)
        assert is_root_found(tree, own[1])
        assert distance_spearman(tree, own[0]) == pytest.approx(1)
        assert depth_spearman(tree, own[1]) == pytest.approx(1)


@pytest.mark.parametrize("squared", [True, False])
def test_losses_are_those_of_a_loop_over_words(squared):
    states, trees, _ = sentences(5, 1, noise=1.0)
    probe = StructuralProbe(WIDTH, 3, squared=squared)
    probe.initialise(torch.Generator().manual_seed(0))
    weight, power = probe.weight.detach().numpy().astype(float), 2 if squared else 1
    of_distances, of_depths = 0.0, 0.0
    for vectors, tree in zip(states, trees, strict=True):
        words = len(vectors)
        for one in range(words):
            of_depths += abs(tree.depths[one] - np.linalg.norm(weight @ vectors[one]) ** power) / words
            for other in range(words):
                gap = np.linalg.norm(weight @ (vectors[one] - vectors[other])) ** power
                of_distances += abs(tree.distances[one, other] - gap) / words**2
    batch = WordBatch.of(states, trees)
    for loss, expected in ((probe.distance_loss(batch), of_distances), (probe.depth_loss(batch), of_depths)):
        assert loss.count == 5
        assert loss.sum.item() == pytest.approx(expected, rel=1e-4)
        loss.sum.backward()
        assert torch.isfinite(probe.weight.grad).all()


def test_training_finds_the_map():
    states, trees, _ = sentences(400, 2, noise=1.0)
    probe = StructuralProbe(WIDTH, 12)
    probe.initialise(torch.Generator().manual_seed(0))

    def loss(rows, _):
        return probe.distance_loss(WordBatch.of([states[row] for row in rows], [trees[row] for row in rows]))

    training = ProbeTraining(rate=0.01, batch_size=20, passes=30)
    run = train_probe(probe, loss, np.arange(300), np.arange(300, 400), training, seed=0)
    assert min(run.losses) < 0.15
    assert run.losses[0] > 0.6
