"""The gap on the easy and the hard half of the test texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.studies.fake_ladder import FakeRung, constant, task
from tests.studies.worth.made_up import (
    CHOSEN,
    TFIDF,
    Unlucky,
    at_top,
    study,
)

from wordworth.studies.worth.label_grid import label_grid


def test_a_failed_run_stays_beside_the_runs_of_its_own_draw():
    """Of two rungs that say the same in every run, one that fails once differs in that draw alone."""
    made, chosen = task(600), CHOSEN
    shared = {"accuracy": constant(0.8), "family": "frozen"}
    whole = study(replace(TFIDF, accuracy=constant(0.8)), FakeRung("minilm", **shared))
    broken = study(replace(TFIDF, accuracy=constant(0.8)), Unlucky("minilm", **shared, when=at_top(1)))
    layout, gold = label_grid(made, chosen), made.gold(made.test)
    assert layout.top == 300
    for record in (whole, broken):
        row = next(row for row in record.tables["slices"].rows() if row["measure"] == "ambiguity")
        gap = next(row for row in record.tables["gaps"].rows() if row["labels"] == 300 and row["rung"] == "tfidf")
        halves = (row["easy_n"] * row["easy_gap"] + row["hard_n"] * row["hard_gap"]) / len(gold)
        assert halves == pytest.approx(-gap["gap"])


def test_halves_of_a_handful_of_texts_are_not_compared(monkeypatch):
    monkeypatch.setattr("wordworth.studies.worth.gain_on_slices.LEAST", 10_000)
    rows = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85))).tables["slices"].rows()
    assert {row["difference"] for row in rows} == {None}
    assert max(row["hard_n"] for row in rows) > 0


def test_rungs_that_differ_by_chance_alone_do_not_win_the_harder_texts():
    rows = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85))).tables["slices"].rows()
    row = next(row for row in rows if row["measure"] == "ambiguity")
    assert row["rank_low"] < 0.5 < row["rank_high"]
    assert row["rank_beyond_low"] < 0.5 < row["rank_beyond_high"]
