"""Verdicts of the same labels are counted while more are added, as each is a chance of a false answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task

import wordworth as ww
from wordworth.records import Record
from wordworth.studies.worth.decision_rule import ERROR, Levels, error_rate
from wordworth.studies.worth.sequential_looks import NO_LOOKS, Looks


def saved(folder, looks):
    record = Record(
        kind="worth", settings={}, data={"looks": looks.columns()}, tables={}, findings=[], timings={}, environment={}
    )
    record.save(folder / "record.json")
    return Looks.of(folder)


def test_a_folder_counts_the_verdicts_of_labels_that_grow(tmp_path):
    first = Looks.of(tmp_path).next(task(200))
    assert (first.number, first.rows) == (1, (200,))
    second = saved(tmp_path, first).next(task(400))
    assert (second.number, second.rows) == (2, (200, 400))
    assert saved(tmp_path, second).next(task(800)).number == 3


def test_the_same_labels_again_are_no_further_look(tmp_path):
    first = NO_LOOKS.next(task(200))
    assert saved(tmp_path, first).next(task(200)) == first


def test_other_texts_in_the_same_folder_begin_anew(tmp_path):
    made = task(200)
    other = made.__class__(
        **{name: getattr(made, name) for name in made.__dataclass_fields__}
        | {"examples": made.examples.__class__(tuple(f"quite another {text}" for text in made.examples.first))}
    )
    assert saved(tmp_path, NO_LOOKS.next(made)).next(other).number == 1


@pytest.mark.slow
def test_a_study_says_that_it_replaces_one_of_other_data(tmp_path, heard):
    brief = {"models": "none", "rungs": "tfidf", "seeds": 2, "draws": 100, "out": tmp_path / "out", "progress": heard}
    texts, labels = [f"a {tone} film {n}" for n in range(40) for tone in ("good", "bad")], ["+", "-"] * 40
    for _ in range(2):  # the same data again are no news
        ww.worth((texts, labels), **brief)
    assert not [note for note in heard.notes if "of other data" in note]
    ww.worth(([f"other {text}" for text in texts], labels), **brief)
    (note,) = [note for note in heard.notes if "of other data" in note]
    assert "out holds a study of other data (the table, 80 rows): this one is measured on its own" in note


def test_a_folder_without_a_count_begins_at_one(tmp_path):
    Record(kind="worth", settings={}, data={}, tables={}, findings=[], timings={}, environment={}).save(
        tmp_path / "record.json"
    )
    assert Looks.of(tmp_path) == NO_LOOKS


def test_a_larger_file_of_which_other_rows_were_drawn_is_a_further_look(tmp_path):
    small, large = task(200), task(1_000)
    drawn = np.random.default_rng(0).permutation(len(large.examples))[:400]
    sample = replace(large, examples=large.examples.take(drawn), labels=large.labels[drawn])
    shared = set(small.examples.first) & set(sample.examples.first)
    assert 0.2 < len(shared) / len(small.examples) < 0.6
    assert saved(tmp_path, NO_LOOKS.next(small)).next(sample).number == 2


@pytest.mark.parametrize(
    "looks",
    [5, {"rows": 5}, {"rows": None, "texts": []}, {"rows": ["x"], "texts": []}, {"rows": [], "texts": ["a"]}],
)
def test_a_damaged_count_begins_at_one(tmp_path, looks):
    Record(kind="worth", settings={}, data={"looks": looks}, tables={}, findings=[]).save(tmp_path / "record.json")
    assert Looks.of(tmp_path) == NO_LOOKS


def test_all_looks_together_spend_no_more_than_the_whole_error():
    assert sum(error_rate(look) for look in range(1, 10_000)) <= ERROR
    levels = [Levels.of(look, 4, 2) for look in (1, 2, 3)]
    assert np.all(np.diff([level.behind for level in levels]) > 0)
    assert Levels.of(1, 4, 2).suffices > Levels.of(1, 1, 2).suffices
