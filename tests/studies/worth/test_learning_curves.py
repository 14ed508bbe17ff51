"""Label multiples and curves beyond the labels there are, on rungs whose curves are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant
from tests.studies.worth.made_up import (
    TFIDF,
    rung_results,
    study,
)

from wordworth.measures.learning_curves import FAMILIES, Extension, Selection
from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.learning_curves import MULTIPLES, best_multiple, multiples_table, without_overtakings
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.scores import Bootstrap, Scores


def test_a_multiple_that_is_bounded_on_neither_side_gives_way_to_a_bound():
    row = {"rung": "glove", "against": "tuned", "direction": "needed", "multiple": 5.6}
    rows = [
        row | {"labels": 23, "state": "exact", "low": 0.0, "high": math.inf, "censored": 0.5},
        row | {"labels": 187, "multiple": 8.0, "state": "more than", "low": 8.0, "high": math.inf, "censored": 1.0},
    ]
    told = best_multiple(Table.of(rows, MULTIPLES), "glove", "tuned")
    assert (told["labels"], told["state"]) == (187, "more than")


@pytest.mark.slow
def test_the_label_multiple_of_a_known_pair_of_curves_is_found():
    """Errors .9 n^-.3 and 1.6 n^-.3: the cheap rung needs (1.6 / .9)^(1 / .3) = 6.8 times the labels."""
    found = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", lambda n: 1 - 1.6 * n**-0.3),
        FakeRung("minilm", "frozen", lambda n: 1 - 0.9 * n**-0.3),
        rows=16_000,
    )
    row = best_multiple(multiples_table(found[1], ["tfidf"], ["minilm"]), "tfidf", "minilm")
    assert row["state"] == "exact"
    assert row["low"] < 6.8 < row["high"]


def test_a_cheap_rung_whose_curve_has_flattened_out_below_is_said_never_to_reach_the_other():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 0.75 - 1.2 * n**-0.6),
        FakeRung("minilm", "frozen", lambda n: 0.97 - 0.5 * n**-0.5),
        rows=6_000,
    )
    row = next(row for row in record.tables["ladder"].rows() if row["rung"] == "tfidf")
    assert (row["multiple"], row["multiple_state"]) == (math.inf, "never")
    assert "Tfidf never reaches what Minilm scores" in render(record)


def test_of_a_curve_that_still_rises_it_is_only_said_how_far_it_was_seen():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 0.4 + 0.03 * math.log2(n)),
        FakeRung("minilm", "frozen", constant(0.97)),
        rows=2_000,
    )
    states = {row["state"] for row in record.tables["multiples"].rows() if row["direction"] == "needed"}
    assert states == {"more than"}


def test_a_curve_is_predicted_at_twice_the_labels_and_no_further():
    """On real data sets, predictions at four times the labels were not borne out."""
    rows = [row for row in study(TFIDF).tables["curve"].rows() if row["rung"] == "tfidf"]
    largest = max(row["labels"] for row in rows if not row["extrapolated"])
    assert [row["labels"] for row in rows if row["extrapolated"]] == [2 * largest]


def test_a_steep_stretch_among_few_labels_does_not_lift_the_prediction():
    """The curve rises to 80 % at an eighth of the labels, and hardly any more: so does the prediction."""
    levelling = FakeRung("tfidf", "counts", lambda n: min(0.5 + 0.08 * math.log2(n / 16), 0.8))
    rows = [row for row in study(levelling, rows=6_000).tables["curve"].rows() if row["rung"] == "tfidf"]
    last, ahead = rows[-2], rows[-1]
    assert (last["extrapolated"], ahead["extrapolated"]) == (False, True)
    assert 0 <= ahead["score"] - last["score"] < 0.02


def test_a_curve_that_is_predicted_to_pass_a_rung_well_ahead_of_it_is_not_drawn():
    """Counts rise by 9 points at each doubling and end 5 points behind: that they pass was not borne out elsewhere."""
    rising = FakeRung("tfidf", "counts", lambda n: max(0.2, 0.85 - 0.09 * math.log2(1_500 / n)))
    ahead = FakeRung("minilm", "frozen", constant(0.9))
    rows = study(rising, ahead, rows=3_000).tables["curve"].rows()
    assert {row["rung"] for row in rows if row["extrapolated"]} == {"majority", "minilm"}


def test_a_curve_that_is_predicted_to_stay_behind_is_drawn():
    rising = FakeRung("tfidf", "counts", lambda n: max(0.2, 0.75 - 0.03 * math.log2(1_500 / n)))
    ahead = FakeRung("minilm", "frozen", constant(0.9))
    rows = study(rising, ahead, rows=3_000).tables["curve"].rows()
    assert {row["rung"] for row in rows if row["extrapolated"]} == {"majority", "tfidf", "minilm"}


def test_rungs_that_are_level_may_be_predicted_to_change_places():
    curves = {
        rung: Extension(np.array([200]), np.full((2, 1), score), np.array([score]), (), Selection(FAMILIES["pow3"], {}))
        for rung, score in {"tfidf": 0.84, "glove": 0.82, "random": 0.83}.items()
    }
    runs = {("tfidf", 100): 0.795, ("glove", 100): 0.8, ("random", 100): 0.7}
    table = {key: RunScores(np.array([score]), np.full((1, 2), score)) for key, score in runs.items()}
    kept = without_overtakings(Scores(table, Bootstrap(2, 0)), curves, 0.01)
    assert {rung: extension.drawn for rung, extension in kept.items()} == {
        "tfidf": True,
        "glove": True,
        "random": False,
    }


def test_a_constant_is_foretold_to_stay_where_it_is():
    """A small subset now and then misjudges the most frequent class: that is no curve to extend."""
    jumping = FakeRung("majority", "constant", lambda n: 0.2 if n < 150 else 0.5)
    rows = [row for row in study(TFIDF, floor=jumping).tables["curve"].rows() if row["rung"] == "majority"]
    last, *ahead = [row for row in rows if row["labels"] >= 300]
    assert [row["extrapolated"] for row in ahead] == [True]
    assert {round(row["score"] - last["score"], 2) for row in ahead} <= {-0.01, 0.0, 0.01}
    assert all(row["high"] - row["low"] < 1.2 * (last["high"] - last["low"]) for row in ahead)
