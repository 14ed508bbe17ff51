"""The study `words` on sets small enough to be seen through."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.terminal import wordworth
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, VECTORS, pairs, part, table, write_tiny_table
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.measures.words.similarity import unit
from wordworth.studies.word_benchmarks import words
from wordworth.studies.word_benchmarks.files import Categories
from wordworth.studies.word_benchmarks.scoring import Subset, make_task
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "wordsets", FILES)


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


def test_words_are_found_as_written_and_then_in_lower_case(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    assert "W1" in FILES["sim/EN-RG-65.txt"]
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [12]


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


def test_a_gap_is_over_what_the_two_tables_know_whatever_a_third_lacks(tmp_path, data):
    paths = [table(tmp_path / "a.txt"), table(tmp_path / "b.txt", part(*NAMES, noise=0.5))]
    two = words(paths, data=data, sets=("rg65", "google"), draws=100)
    third = table(tmp_path / "c.txt", part(*NAMES[:12], noise=0.5))
    three = words([*paths, third], data=data, sets=("rg65", "google"), draws=100)
    pick = [row for row in three.tables["gaps"].rows() if row["model"] == str(paths[1])]
    assert pick == two.tables["gaps"].rows()
    assert {row["items"] for row in three.tables["gaps"].rows() if row["model"] == str(third)} == {
        11
    }  # of 9 questions nothing is scored


def test_the_leader_is_told_with_a_paired_interval_over_what_all_know(tmp_path, data):
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES[:13], noise=2.0))
    record = words([two, one], data=data, sets=("rg65",), draws=100)
    (row,) = record.tables["leads"].rows()
    assert (row["model"], row["against"]) == (str(one), str(two))
    assert row["low"] <= row["gap"] <= row["high"]
    assert (
        record.finding("verdict")
        .numbers["headline"]
        .startswith(("one.txt leads two.txt by", "one.txt and two.txt are level"))
    )
    assert f"{row['gap']:.3f}" in record.verdict


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


def test_a_table_of_pieces_beside_one_of_words_is_a_warning(tmp_path, data):
    """A tokenizer that spells every word letter by letter, and a table of some words."""
    letters = write_tiny_table(tmp_path / "letters", sorted({letter for name in NAMES for letter in name}))
    one = table(tmp_path / "one.txt", part(*NAMES[:12]))
    record = words([letters, one], data=data, sets=("rg65", "google"), draws=100)
    assert warned(record)["subwords"].startswith("letters builds words from subwords, one.txt has whole words only")
    assert warned(record)["spelled"].startswith("letters has no vector for ")
    assert "one.txt" not in warned(record)["spelled"]
    assert warned(record)["benchmark_words"].startswith("letters answers analogies from the words of the benchmarks")


def test_little_coverage_is_a_warning_that_names_the_table(tmp_path, data):
    (data / "sim/EN-RG-65.txt").write_text(pairs(count=23))
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES[:11]))
    record = words([one, two], data=data, sets=("rg65",), draws=100)
    assert "Rubenstein-Goodenough 65, 10 of 23 pairs in common. two.txt lacks most." in warned(record)["coverage"]
    assert warned(words(one, data=data, sets=("rg65",), draws=100)) == {}


def test_the_pairs_that_a_table_sees_least_as_people_do_are_kept(tmp_path, data):
    (data / "sim/EN-RG-65.txt").write_text(pairs(count=12).replace("w5\tw6", "w5\tw5"))  # a word is like itself
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    worst = record.tables["misjudged"].rows()[0]
    assert (worst["first"], worst["second"]) == ("w5", "w5")
    assert worst["table"] == pytest.approx(11.5 / 12)
    assert worst["people"] < worst["table"]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(10, 40), st.integers(2, 5), st.booleans())
def test_a_purity_lies_in_its_interval(seed, count, kinds, clear):
    rng = np.random.default_rng(seed)
    names, labels = [f"w{place}" for place in range(count)], rng.integers(kinds, size=count)
    vectors = unit(rng.normal(size=(count, 5)) + 3 * clear * np.eye(5)[labels]).astype(np.float32)
    known = {name: row for row, name in enumerate(names) if row % 7}
    found = WordVectors("t", vectors, known, vectors[0], own=True, whole=True)
    scored = make_task(Categories(tuple(names), tuple(map(str, labels))), found, WordsSettings())
    for items in (scored.known, np.ones(count, dtype=bool)):
        for score in scored.score_subset(Subset(items), np.ones((1, count))).values():
            span = score.span()
            assert not score.defined or 0 <= span.low <= score.point <= span.high <= 1


def test_the_same_seed_gives_the_same_bytes_wherever_the_sets_lie(tmp_path, data):
    path, elsewhere = table(tmp_path / "t.txt"), data.rename(tmp_path / "elsewhere")
    first = _plain(words(path, data=elsewhere, draws=100))
    again = _plain(words(path, data=elsewhere.rename(data), draws=100))
    assert first == again
    assert str(data.parent) not in json.dumps(first["data"]["sources"])


def _plain(record):
    whole = json.loads(record.to_json())
    return {name: whole[name] for name in ("settings", "data", "tables", "findings")}


def test_the_record_says_how_long_each_set_took_and_what_computed(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65", "google"), draws=100)
    assert set(record.timings["seconds"]) == {"rg65", "google"}
    assert record.environment["versions"]["numpy"] == np.__version__


def test_a_folder_that_cannot_be_written_is_told_before_a_table_is_read(tmp_path, data):
    (tmp_path / "run").write_text("a file")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        words(tmp_path / "no table.txt", data=data, out=tmp_path / "run")


def test_only_the_most_frequent_words_are_looked_at_where_so_many_are_asked_for(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100, most=11)
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [10]


def test_what_is_wrong_is_said(tmp_path, data):
    path = table(tmp_path / "t.txt")
    with pytest.raises(BadInput, match="did you mean 'rg65'"):
        words(path, data=data, sets=("rg56",))
    with pytest.raises(BadInput, match="not on this machine"):
        words(path, data=data, sets=("simlex",))
    with pytest.raises(BadInput, match="no such folder"):
        words(path, data=tmp_path / "none")


@pytest.mark.parametrize("rating", ["much", "nan", "inf"])
def test_a_rating_that_is_no_number_is_refused_by_its_line(tmp_path, data, rating):
    (data / "sim/EN-RG-65.txt").write_text(f"w1\tw2\t3\nw1\tw3\t{rating}\n")
    with pytest.raises(BadInput, match=f"EN-RG-65.txt, line 2: '{rating}' is no"):
        words(table(tmp_path / "t.txt"), data=data, sets=("rg65",))


@pytest.mark.parametrize("file", ["sim/EN-RG-65.txt", "analogy/questions-words.txt", "categories/essli-2008.tsv"])
def test_an_empty_file_is_refused_by_its_name(tmp_path, data, file):
    (data / file).write_text("category\tword\n" if file.startswith("cat") else "\n")
    done = wordworth("study", "words", "--model", table(tmp_path / "t.txt"), "--data", data, "--out", tmp_path / "run")
    assert done.code == 2
    assert f"{file}, line 1: this file is empty" in re.sub(r"\s+", " ", done.err)


def test_files_that_no_benchmark_reads_are_named(tmp_path, data):
    write(data, {"analogy/jair.tsv": "x", "sim/EN-OTHER.txt": "y", "SOURCE.md": "z"})
    path = table(tmp_path / "t.txt")
    every = words(path, data=data, draws=100).finding("method.unread")
    assert every.numbers["files"] == ["sim/EN-OTHER.txt", "analogy/jair.tsv"]
    some = words(path, data=data, draws=100, sets=("analogy",)).finding("method.unread")
    assert some.numbers["files"] == ["analogy/jair.tsv"]
    assert not [found for found in words(path, data=data, draws=100, sets=("rg65",)).findings if "unread" in found.name]


def test_the_command_prints_a_row_a_set_and_a_column_a_table_and_keeps_the_record(tmp_path, data):
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES, noise=0.5))
    done = wordworth(
        *("study", "words", "--models", one, two, "--data", data, "--draws", 100, "--out", tmp_path / "run")
    )
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["set", "metric", "items", "one.txt", "two.txt"] in rows
    (found,) = [row for row in rows if row[:2] == ["rg65", "spearman"]]
    assert found[2:6] == ["12", "of", "13", "1.000"]
    record = json.loads((tmp_path / "run/record.json").read_text())
    assert record["kind"] == "words"
    assert record["findings"][0]["numbers"]["headline"] in done.out
    assert str(tmp_path / "run/report.html") in done.out
    assert "no study 'wrods'; did you mean 'words'?" in wordworth("study", "wrods").err


def test_the_command_writes_into_run_where_no_folder_is_named(tmp_path, data, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wordworth("study", "words", "--model", table(tmp_path / "t.txt"), "--data", data, "--sets", "rg65", "--draws", 100)
    assert (tmp_path / "run/record.json").is_file()
    assert (tmp_path / "run/report.html").is_file()
