"""Correlations of systems with known truth: exact values, paired differences, means over sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from wordworth.progress import SILENT
from wordworth.studies.sentences.pair_sets import PairSet
from wordworth.studies.sentences.systems import System
from wordworth.studies.sentences.tables import tables_of
from wordworth.tasks.examples import Origin


def pair_set(name: str, scores: np.ndarray, subset: list[str] | None = None) -> PairSet:
    texts = tuple(f"{name} {row}" for row in range(len(scores)))
    origin = Origin("x.csv", "0" * 64, len(scores))
    return PairSet(name, texts, texts[::-1], scores, tuple(subset or [""] * len(scores)), origin, len(scores), name)


def made(seed: int, size: int = 80):
    rng = np.random.default_rng(seed)
    sets = [pair_set(name, rng.integers(0, 6, size).astype(float)) for name in ("one", "two")]
    noise = {"own": 1.0, "mean": 1.0, "cls": 20.0, "glove": 3.0}
    roles = {"own": "model", "mean": "pooling", "cls": "pooling", "glove": "beside"}
    systems = [
        System(name, roles[name], {each.name: each.scores + rng.normal(0, spread, size) for each in sets}, 0)
        for name, spread in noise.items()
    ]
    return systems, sets


@given(st.integers(0, 20))
def test_values_are_those_of_scipy_and_the_mean_is_over_sets(seed):
    systems, sets = made(seed)
    rows = tables_of(systems, sets, 100, 0, SILENT)["scores"].rows()
    for system in systems:
        own = {row["set"]: row for row in rows if row["system"] == system.name}
        for each in sets:
            cosines = system.cosines[each.name]
            assert own[each.name]["spearman"] == pytest.approx(spearmanr(each.scores, cosines)[0])
            assert own[each.name]["pearson"] == pytest.approx(pearsonr(each.scores, cosines)[0])
        mean = own["mean over sets"]
        assert mean["spearman"] == pytest.approx(np.mean([own[each.name]["spearman"] for each in sets]))
        assert mean["pairs"] == 160
        assert all(row["low"] < row["high"] for row in own.values())


def test_differences_are_paired_and_only_of_systems_that_are_there():
    systems, sets = made(0)
    tables = tables_of(systems, sets, 500, 0, SILENT)
    compared = {(row["first"], row["second"]): row for row in tables["comparisons"].rows()}
    assert set(compared) == {("mean", "cls"), ("own", "glove"), ("mean", "glove")}
    means = {row["system"]: row for row in tables["scores"].rows() if row["set"] == "mean over sets"}
    row = compared["mean", "cls"]
    assert row["difference"] == pytest.approx(means["mean"]["spearman"] - means["cls"]["spearman"])
    assert row["low"] < row["difference"] < row["high"]
    assert row["sure"]


def test_equal_systems_differ_by_nothing_for_sure_in_no_direction():
    systems, sets = made(0)
    twin = System("glove", "beside", systems[0].cosines, 0)
    row = tables_of([systems[0], twin], sets, 200, 0, SILENT)["comparisons"].rows()[0]
    assert (row["difference"], row["low"], row["high"], row["sure"]) == (0, 0, 0, False)


def test_subsets_with_enough_pairs_have_rows_of_their_own():
    scores = np.arange(40.0)
    pairs = pair_set("x", scores, ["a"] * 25 + ["b"] * 12 + ["c"] * 3)
    system = System("own", "model", {"x": scores}, 0)
    rows = tables_of([system], [pairs], 100, 0, SILENT)["scores"].rows()
    assert [(row["set"], row["subset"], row["pairs"]) for row in rows] == [
        ("x", "all", 40),
        ("x", "a", 25),
        ("x", "b", 12),
        ("mean over sets", "all", 40),
    ]
    assert all(row["spearman"] == pytest.approx(1) for row in rows)
