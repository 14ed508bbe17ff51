"""Measures are sums over sentences, intervals cover the truth, and differences are taken on the same draws."""

import numpy as np
import pytest

from wordworth.studies.syntax.structural_probe_scores import COMPARED, gaps, scored
from wordworth.studies.syntax.structural_probes import (
    AGAIN,
    CHAIN,
    CONTROL,
    MODEL,
    RANDOM,
    SHUFFLED,
    UNSQUARED,
    ProbeResult,
    SentenceScores,
)
from wordworth.training.probes.train_probe import ProbeRun

SENTENCES, RUN = 300, ProbeRun((0.5,), 1)


def result(source, rate, layer=1, rank=64, kind="distance", seed=0):
    rng = np.random.default_rng(seed)
    totals = np.random.default_rng(9).integers(4, 20, SENTENCES)
    scores = SentenceScores(rng.binomial(totals, rate), totals, rng.normal(rate, 0.1, SENTENCES))
    return ProbeResult(source, kind, layer, rank, RUN, scores)


LENGTHS = np.random.default_rng(8).integers(5, 20, SENTENCES)


def measured(results, draws=300):
    return scored(results, LENGTHS, np.arange(SENTENCES) // 3, draws, np.random.default_rng(1))


def test_shares_are_of_all_edges_together():
    one = result(MODEL, 0.6)
    found = measured([one, result(CHAIN, 0.4, None, 0)])
    assert found[0].measures["share"].value == one.scores.right.sum() / one.scores.total.sum()
    by_length = [one.scores.correlation[length == LENGTHS].mean() for length in np.unique(LENGTHS)]
    assert found[0].measures["correlation"].value == pytest.approx(np.mean(by_length))
    for each in found:
        for estimate in each.measures.values():
            assert estimate.ends.low < estimate.value < estimate.ends.high
    itself = found[0].measures["share"].less(found[0].measures["share"])
    assert (itself.value, itself.ends.low, itself.ends.high) == (0, 0, 0)


def test_intervals_cover():
    covered = sum(0.6 in measured([result(MODEL, 0.6, seed=seed)], 200)[0].measures["share"].ends for seed in range(60))
    assert covered / 60 > 0.87


def test_the_best_layer_stands_beside_each_control_of_its_kind():
    rates = {CHAIN: 0.4, SHUFFLED: 0.2, CONTROL: 0.5, UNSQUARED: 0.59, AGAIN: 0.6}
    best, random = result(MODEL, 0.6, 1), result(RANDOM, 0.45, 2)
    layers = [result(MODEL, 0.3, 0), best, result(MODEL, 0.58, 2)]
    results = [*layers, result(MODEL, 0.1, 1, 1), random, result(RANDOM, 0.9, 0)]
    results += [result(source, rate) for source, rate in rates.items()]
    found = {gap.other: gap for gap in gaps(measured(results), {"distance": best}, {"distance": random})
             if gap.measure == "share"}  # fmt: skip
    assert list(found) == list(COMPARED)
    expected = rates | {RANDOM: 0.45, "input layer": 0.3, "last layer": 0.58}
    for name, rate in expected.items():
        assert found[name].gap.value == pytest.approx(0.6 - rate, abs=0.04), name
    assert {name for name, gap in found.items() if gap.is_ahead} >= {CHAIN, SHUFFLED, CONTROL, RANDOM, "input layer"}
    assert not found[AGAIN].is_ahead
