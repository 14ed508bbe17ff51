"""Gaps between tables, and the pairs that a table judges least as people do."""

import pytest
from tests.studies.word_benchmarks.small_sets import NAMES, pairs, part, table

from wordworth.studies.word_benchmarks import words


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


def test_the_pairs_that_a_table_sees_least_as_people_do_are_kept(tmp_path, data):
    (data / "sim/EN-RG-65.txt").write_text(pairs(count=12).replace("w5\tw6", "w5\tw5"))  # a word is like itself
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    worst = record.tables["misjudged"].rows()[0]
    assert (worst["first"], worst["second"]) == ("w5", "w5")
    assert worst["table"] == pytest.approx(11.5 / 12)
    assert worst["people"] < worst["table"]
