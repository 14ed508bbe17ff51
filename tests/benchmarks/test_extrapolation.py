"""Predictions beside what was measured: biases, coverage and overtakings, on curves that are known."""

import numpy as np
import pytest

from extrapolation import LARGE, SETS, SMALL, plan
from extrapolation_record import means, overtakings, passed_limits, predictions, record, tables

SIZES = [37, 75, 150, 300, 600]


def power_law(labels):
    return 0.9 - 1.2 * np.asarray(labels, dtype=float) ** -0.4


def cell(then=power_law, of="a set", rung="tfidf", noise=0.003):
    scores = power_law(SIZES)
    draws = scores + np.random.default_rng(0).normal(0, noise, (50, len(SIZES)))
    return {
        "set": of,
        "rung": rung,
        "labels": 600,
        "least": 0.0,
        "sizes": SIZES,
        "means": scores.tolist(),
        "draws": draws.tolist(),
        "then": {"2": float(then(1_200)), "4": float(then(2_400))},
    }


def test_of_a_power_law_the_study_predicts_what_more_labels_teach():
    rows = [row for row in predictions(cell()) if row["way"] == "study"]
    assert [row["times"] for row in rows] == [2, 4]
    assert [row["error"] for row in rows] == pytest.approx([0, 0], abs=1)
    assert all(row["covered"] and row["gain_covered"] and row["family"] == "pow3" for row in rows)


def test_the_control_errs_by_all_that_more_labels_teach():
    rows = [row for row in predictions(cell()) if row["way"] == "last"]
    gains = 100 * (power_law([1_200, 2_400]) - power_law(600))
    assert [row["error"] for row in rows] == pytest.approx(list(-gains), abs=0.5)


def test_a_curve_that_breaks_off_is_not_covered():
    rows = [row for row in predictions(cell(lambda _: 0.5)) if row["way"] == "study"]
    assert not any(row["covered"] or row["gain_covered"] for row in rows)
    assert all(row["error"] > 10 for row in rows)


def test_the_error_of_a_bias_counts_data_sets_and_not_predictions():
    row = {"way": "study", "times": 2, "covered": True, "gain_covered": False, "low": 1.0, "high": 5.0}
    rows = [row | {"set": name, "error": error} for name, error in (("a", 1.0), ("a", 1.0), ("b", 3.0), ("b", 3.0))]
    (mean,) = means(rows)
    assert (mean["sets"], mean["predictions"], mean["bias"], mean["bias_error"]) == (2, 4, 2.0, 1.0)
    assert (mean["coverage"], mean["gain_coverage"], mean["half_width"]) == (1.0, 0.0, 2.0)
    assert mean["root_mean_square_error"] == pytest.approx(5**0.5, abs=0.01)


def test_means_are_taken_by_way_multiple_and_column():
    rows = [row for rung in ("tfidf", "glove") for row in predictions(cell(rung=rung))]
    assert {(mean["way"], mean["times"], mean["rung"]) for mean in means(rows, "rung")} == {
        (way, times, rung)
        for way in ("study", "last", "selected", "selected, quick")
        for times in (2, 4)
        for rung in ("tfidf", "glove")
    }


@pytest.mark.parametrize(("measured", "happened"), [(80, 1), (60, 0)])
def test_a_rung_that_is_predicted_to_pass_another_did_or_did_not(measured, happened):
    row = {"way": "study", "times": 2, "set": "a set", "labels": 600}
    rows = [
        row | {"last": 70, "predicted": 75, "measured": 75},
        row | {"last": 65, "predicted": 78, "measured": measured},
    ]
    counted = {"way": "study", "times": 2, "predicted": 1, "happened": happened}
    assert overtakings(rows) == [counted | {"level": False}]
    assert overtakings([rows[0], rows[1] | {"last": 69.5}]) == [counted | {"level": True}]
    assert not overtakings([{**each, "set": number} for number, each in enumerate(rows)])


@pytest.mark.parametrize(("then", "passed"), [(power_law, 0), (lambda _: 0.99, 1)])
def test_a_limit_is_passed_by_a_score_above_it(then, passed):
    counts = passed_limits([cell(then, noise=0.0001)])
    assert counts == {"curves": 1, "median": passed, "never": passed}


def test_the_record_holds_what_a_study_draws_and_its_tables_every_mean():
    summary = record([cell(), cell(of="another")])
    assert (summary["sets"], summary["cells"], len(summary["predictions"])) == (["a set", "another"], 2, 4)
    assert sum(line.startswith("| study | 2 |") for line in tables(summary)) == 4


def test_tfidf_is_planned_on_every_set_and_alone_with_many_labels():
    parts = list(plan())
    assert {name for name, rung, scale in parts if (rung, scale) == ("tfidf", SMALL)} == set(SETS)
    assert {rung for _, rung, scale in parts if scale == LARGE} == {"tfidf"}
