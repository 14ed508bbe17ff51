"""Every kind of benchmark is scored, on sets small enough to be seen through."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.studies.word_benchmarks.small_sets import NAMES, VECTORS, pairs, part, table

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.studies.word_benchmarks import words
from wordworth.studies.word_benchmarks.benchmark_files import Categories
from wordworth.studies.word_benchmarks.score_on_benchmark import Subset, make_task
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors


def scores(record):
    rows = record.tables["scores"].rows()
    return {(row["model"], row["set"], row["metric"], row["policy"]): row for row in rows}


def warned(record):
    return {finding.name.removeprefix("warning."): finding.text for finding in record.warnings}


def test_every_kind_of_set_is_scored_under_both_policies_for_missing_words(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, draws=100)
    found = {key[1:]: (row["score"], row["items"], row["of"]) for key, row in scores(record).items()}
    assert found["rg65", "spearman", "drop"] == (pytest.approx(1.0), 12, 13)
    assert found["rg65", "spearman", "mean"][0] < 1  # the mean is not like w3, though people put that pair first
    assert found["rg65", "spearman", "mean"][1:] == (13, 13)
    assert found["google", "accuracy", "drop"][1:] == (21, 22)
    assert found["google", "accuracy", "mean"][1:] == (22, 22)
    assert found["google", "accuracy", "mean"][0] <= 21 / 22  # whose answer is missing cannot be right
    assert found["essli2008", "purity, best of six", "drop"][1:] == (24, 25)
    assert found["semeval2012", "mean spearman", "drop"][1:] == (11 * 12, 11 * 12 + 1)


def test_of_few_items_nothing_is_scored_and_that_is_said(tmp_path, data):
    (data / "sim/EN-SIMLEX-999.txt").write_text(pairs(count=10))
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES[:11], noise=0.5))
    record = words([one, two], data=data, sets=("similarity",), draws=100)
    (data / "sim/EN-SIMLEX-999.txt").write_text(pairs(count=9) + "dragon\tw5\t1\n")
    less = words([one, two], data=data, sets=("similarity",), draws=100)
    common = {row["set"]: row["score"] for row in record.tables["scores"].rows() if row["policy"] == "common"}
    assert not np.isnan(common["simlex"])
    kept = {(row["model"], row["policy"]): row["over"] for row in less.tables["means"].rows()}
    assert kept[str(two), "common"] == ["rg65"]
    assert kept[str(two), "mean"] == ["simlex", "rg65"]
    assert {row["set"] for row in less.tables["gaps"].rows()} == {"rg65", "mc30"}
    assert "SimLex-999, 9 of 10 pairs in common" in warned(less)["left_out"]
    assert "left_out" not in warned(record)
    assert "Rubenstein-Goodenough 65" in less.verdict
    assert "SimLex" not in less.verdict
    row = scores(less)[str(two), "simlex", "spearman", "common"]
    assert np.isnan(row["score"])
    assert json.loads(less.to_json())["tables"]["scores"]["columns"]["score"].count(None) == 4


def test_where_every_pair_is_alike_there_is_no_correlation(tmp_path, data):
    record = words(table(tmp_path / "t.txt", {"other": (1, 2), "more": (3, 1)}), data=data, sets=("rg65",), draws=100)
    assert all(np.isnan(row["score"]) for row in record.tables["scores"].rows())
    assert record.verdict.startswith("Nothing could be scored.")


def test_analogies_in_common_are_answered_from_the_words_in_common(tmp_path, data):
    """A table with few words has few to choose from: alone it answers more easily, in common all have the same."""
    rng = np.random.default_rng(5)
    crowd = {f"x{place}": rng.normal(size=6) for place in range(300)}
    large, small = table(tmp_path / "large.txt", VECTORS | crowd), table(tmp_path / "small.txt")
    found = scores(record := words([large, small], data=data, sets=("google",), draws=100))
    alone = [found[str(path), "google", "accuracy", "drop"] for path in (large, small)]
    assert [row["candidates"] for row in alone] == [324, 24]
    assert alone[0]["score"] < alone[1]["score"]
    common = [found[str(path), "google", "accuracy", "common"] for path in (large, small)]
    assert [row["candidates"] for row in common] == [24, 24]
    assert common[0]["score"] == common[1]["score"] == alone[1]["score"]  # their vectors are the same
    assert "large.txt 324 and small.txt 24" in warned(record)["candidates"]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(10, 40), st.integers(2, 5), st.booleans())
def test_a_purity_lies_in_its_interval(seed, count, kinds, clear):
    rng = np.random.default_rng(seed)
    names, labels = [f"w{place}" for place in range(count)], rng.integers(kinds, size=count)
    vectors = unit_or_zero(rng.normal(size=(count, 5)) + 3 * clear * np.eye(5)[labels]).astype(np.float32)
    known = {name: row for row, name in enumerate(names) if row % 7}
    found = WordVectors("t", vectors, known, vectors[0], has_words=True, whole=True)
    scored = make_task(Categories(tuple(names), tuple(map(str, labels))), found, WordsSettings())
    for items in (scored.known, np.ones(count, dtype=bool)):
        for score in scored.score_subset(Subset(items), np.ones((1, count))).values():
            span = score.span()
            assert not score.defined or 0 <= span.low <= score.point <= span.high <= 1
