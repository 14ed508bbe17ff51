"""Sentences in the plane: an exact probe draws the exact tree; edges are found, missed or wrong; lengths are means."""

import numpy as np
import pytest
import torch
from tests.training.probes.test_structural_probe import random_heads

from wordworth.measures.bootstrap import Resamples
from wordworth.measures.tree_embeddings import pythagorean
from wordworth.studies.syntax.sampled_trees import SyntaxSample, tree_of
from wordworth.studies.syntax.tree_drawings import drawn_trees, edge_lengths, plane
from wordworth.studies.treebank_sample import ProbeSplit
from wordworth.text.treebank import DependencySentence
from wordworth.training.probes.structural_probe import StructuralProbe

WIDTH = 12


@pytest.fixture(scope="module")
def exact():
    """Sentences, a probe that changes nothing, and vectors that are their trees."""
    rng, sentences, vectors = np.random.default_rng(0), [], []
    for row in range(40):
        heads = random_heads(rng, int(rng.integers(3, 12)))
        relations = tuple("root" if head < 0 else ("det", "obj")[row % 2] for head in heads)
        sentences.append(DependencySentence(tuple(f"w{n}" for n in range(len(heads))), heads, relations, row, 1))
        padded = np.zeros((len(heads), WIDTH), np.float32)
        padded[:, : len(heads) - 1] = pythagorean(heads)
        vectors.append(padded)
    probe = StructuralProbe(WIDTH, WIDTH)
    with torch.no_grad():
        probe.weight.copy_(torch.eye(WIDTH))
    split = ProbeSplit(np.arange(10), np.arange(10, 15), np.arange(15, 40))
    trees = [tree_of(sentence) for sentence in sentences]
    return SyntaxSample("t", sentences, [], trees, np.arange(40), split, {}, []), probe, vectors


def test_an_exact_probe_draws_the_tree_and_finds_its_edges(exact):
    sample, probe, vectors = exact
    tables = drawn_trees(sample, probe, vectors, 0)
    rows = tables["trees"].rows()
    assert {row["sentence"] for row in rows} == {1, 2, 3}
    compared = 0
    for number in (1, 2, 3):
        own = [row for row in rows if row["sentence"] == number]
        probed, true, random = (
            np.array([(row["x"], row["y"]) for row in own if row["embedding"] == name])
            for name in ("probe", "exact", "random branches")
        )
        heads = np.array([row["head"] - 1 for row in own if row["embedding"] == "exact"])
        spread = np.linalg.svd(pythagorean(heads) - pythagorean(heads).mean(0))[1]
        assert np.abs(random - true).max() > 0.05
        if spread[1] - spread[2] > 0.01:  # else which component is the second is left to chance
            assert probed == pytest.approx(true, abs=1e-3)
            compared += 1
    assert compared
    assert {row["edge"] for row in tables["tree_edges"].rows()} == {"found"}
    for number in (1, 2, 3):
        words = [row for row in rows if row["sentence"] == number and row["embedding"] == "exact"]
        assert 7 <= len(words) <= 12
        edges = {(row["first"], row["second"]) for row in tables["tree_edges"].rows() if row["sentence"] == number}
        assert edges == {tuple(sorted((row["word"], row["head"]))) for row in words if row["head"]}


def test_a_probe_that_finds_nothing_has_missed_and_wrong_edges(exact):
    sample, probe, vectors = exact
    rng = np.random.default_rng(1)
    noise = [rng.normal(size=each.shape).astype(np.float32) for each in vectors]
    edges = drawn_trees(sample, probe, noise, 0)["tree_edges"].rows()
    kinds = [row["edge"] for row in edges]
    assert kinds.count("missed") == kinds.count("wrong") > 0


def test_the_length_of_exact_edges_is_1(exact):
    sample, probe, vectors = exact
    rows = edge_lengths(sample, probe, vectors, Resamples(200, 0)).rows()
    assert {row["relation"] for row in rows} == {"det", "obj"}
    measured = [sample.sentences[row] for row in sample.split.test]
    assert sum(row["words"] for row in rows) == sum(len(sentence) - 1 for sentence in measured)
    for row in rows:
        assert (row["length"], row["low"], row["high"]) == pytest.approx((1, 1, 1), abs=1e-5)
    longer = [2 * each for each in vectors]
    assert edge_lengths(sample, probe, longer, Resamples(200, 0)).rows()[0]["length"] == pytest.approx(4, abs=1e-5)


def test_the_plane_keeps_what_two_components_hold():
    rng = np.random.default_rng(0)
    flat, kept = plane(rng.normal(size=(9, 2)) @ rng.normal(size=(2, 6)))
    assert kept == pytest.approx(1)
    assert flat.shape == (9, 2)
    assert plane(np.zeros((1, 3)))[0].shape == (1, 2)
