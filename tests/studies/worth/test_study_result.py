from __future__ import annotations

from dataclasses import replace

import pytest
from tests.studies.fake_ladder import FakeRung, constant, task
from tests.studies.worth.made_up import (
    FAMILIES,
    LABELS,
    TFIDF,
    scores,
    study,
)

from wordworth.reports import render
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.study_result import StudyResult


def test_multiples_and_break_even_are_of_the_rung_that_the_verdict_names():
    frozen, tuned = (FakeRung(name, family, constant(score)) for name, family, score in (
        ("minilm", "frozen", 0.75), ("tuned", "finetuned", 0.95),
    ))  # fmt: skip
    record = study(TFIDF, frozen, tuned, rows=1_600)
    assert record.finding("verdict").numbers["rung"] == "tuned"
    ladder = {row["rung"]: row for row in record.tables["ladder"].rows()}
    assert ladder["tfidf"]["multiple_against"] == "tuned"
    assert record.timings["break_even"]["against"] == "tuned"
    assert "to score what Tuned scores with" in render(record)


def test_break_even_is_of_the_rungs_that_the_title_of_its_figure_compares():
    """Where the answer is open, the pair that keeps it open need not hold the best rung."""
    rungs = (
        FakeRung("tfidf", "counts", lambda n: 0.95 - 1.2 * n**-0.3),
        FakeRung("minilm", "frozen", lambda n: 0.95 - 1.15 * n**-0.3),
        FakeRung("tuned", "finetuned", lambda n: 0.955 - 1.15 * n**-0.3),
    )
    record = study(*rungs, rows=1_600)
    verdict, measured_value = record.finding("verdict").numbers, record.timings["break_even"]
    assert verdict["answer"] == "cannot tell yet"
    assert (measured_value["rung"], measured_value["against"]) == (verdict["compared"], verdict["against"])
    assert measured_value["multiple_low"] <= measured_value["multiple_high"]


def measured(**rungs):
    """A study of these rungs with their mean scores in points, each known to within half a point."""
    made = scores(**{name: (mean, 0.5) for name, mean in rungs.items()})
    entries = [RungResult(FakeRung(name, FAMILIES[name], constant(0.5))) for name in rungs]
    return StudyResult(task(200), LabelGrid((LABELS,), ()), entries, made, 0.01)


def test_rungs_are_measured_where_they_have_a_score_on_all_labels():
    study_result = measured(majority=50, tfidf=80, minilm=85, tuned=90)
    dropped = replace(
        study_result, rung_results=[*study_result.rung_results, RungResult(FakeRung("glove", "static", constant(0)))]
    )
    assert [result.rung.name for result in dropped.measured] == ["majority", "tfidf", "minilm", "tuned"]
    assert dropped.measured_names(contextual=False) == ["tfidf"]
    assert dropped.measured_names(contextual=True) == ["minilm", "tuned"]
    assert dropped.title("glove") == "Glove"


def test_the_best_of_some_rungs_is_the_one_with_the_highest_mean_and_of_none_there_is_none():
    result = measured(tfidf=80, glove=82, minilm=85)
    assert result.best_of(["tfidf", "glove"]).rung.name == "glove"
    assert result.best_of(["tuned"]) is None


@pytest.mark.parametrize(
    ("rungs", "reference"),
    [
        ({"tfidf": 80, "minilm": 82, "tuned": 90}, "minilm"),  # a frozen encoder, though another scores more
        ({"tfidf": 80, "both": 82, "tuned": 90}, "tuned"),
        ({"tfidf": 80, "both": 92, "tuned": 90}, "both"),
        ({"tfidf": 80}, None),
    ],
)
def test_cheap_rungs_are_compared_with_a_frozen_encoder_or_else_with_the_best_contextual_rung(rungs, reference):
    measured_value = measured(**rungs).reference
    assert (measured_value.rung.name if measured_value else None) == reference


@pytest.mark.parametrize(
    ("rungs", "cheap", "contextual"),
    [
        ({"tfidf": 80, "glove": 70, "minilm": 85}, "tfidf", "minilm"),
        ({"tfidf": 70, "glove": 80, "minilm": 75, "tuned": 90}, "glove", "tuned"),
        ({"tfidf": 70, "glove": 80}, "glove", ""),
        ({"minilm": 75, "tuned": 90}, "", "tuned"),
    ],
)
def test_the_rungs_that_the_verdict_compares_are_those_that_the_study_is_about(rungs, cheap, contextual):
    result = measured(majority=50, **rungs)
    assert (result.cheap_compared_name, result.compared_with) == (cheap, contextual)


def test_fewer_labels_are_judged_at_a_higher_level_of_confidence():
    """The answers at all smaller sizes share one probability of a false answer."""
    made = scores(tfidf=(80.0, 0.5), minilm=(80.9, 0.5))
    entries = [RungResult(FakeRung(name, FAMILIES[name], constant(0.5))) for name in ("tfidf", "minilm")]
    same = replace(
        made, table={(name, size): result for (name, _), result in made.table.items() for size in (50, LABELS)}
    )
    study_of_four = StudyResult(task(200), LabelGrid((10, 20, 50, LABELS), ()), entries, same, 0.01)
    whole, fewer = (study_of_four.judged(same, size).levels for size in (LABELS, 50))
    assert 1 - fewer.suffices == pytest.approx((1 - whole.suffices) / 3)
    assert 1 - fewer.behind == pytest.approx((1 - whole.behind) / 3)
