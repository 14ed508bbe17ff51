"""What other data sets say beside the labels of a study: their leads are those of the records."""

import json
from pathlib import Path

import pytest
from tests.studies.fake_ladder import constant, task
from tests.studies.worth.test_probability_scores import KnownRung, measured

from wordworth.studies.worth.prior_from_published_data import (
    CHEAP,
    CONTEXTUAL,
    LEADS,
    PRIOR,
    before_labels,
    with_other_data_sets,
)

RECORDS = Path(__file__).parents[3] / "docs" / "records"


def context_gap(scores):
    first, second = (
        max(score for rung, score in scores.items() if (rung in CONTEXTUAL) is contextual)
        for contextual in (True, False)
    )
    return first - second


def test_the_leads_are_those_of_the_records():
    studies = json.loads((RECORDS / "validity.json").read_text("utf-8"))["studies"]
    sets = json.loads((RECORDS / "paper.json").read_text("utf-8"))["sets"]
    found = [(study["set"], context_gap(study["true"])) for study in studies]
    found += [
        (each["set"], context_gap({rung: score for rung, (score, *_) in each["ladder"].items()}))
        for each in sets
        if each["data"]["test"] >= 200
    ]
    assert {name: [value for other, value in found if other == name] for name, _ in found} == {
        name: pytest.approx(list(leads), abs=5.1e-5) for name, leads in LEADS.items()
    }


def test_what_is_said_before_any_label_is_the_interval_of_the_prior():
    text, span = before_labels(), PRIOR.interval()
    assert "On 21 published sets" in text
    assert f"{100 * PRIOR.mean:.1f} points on average" in text
    assert f"{100 * span.high:.1f})" in text


def ladder(cheap=CHEAP, contextual=CONTEXTUAL):
    rungs = [KnownRung(name, "counts", constant(0)) for name in cheap]
    return rungs + [KnownRung(name, "frozen", constant(0)) for name in contextual]


def test_the_labels_alone_and_with_other_data_sets_are_both_said():
    (finding,) = with_other_data_sets(measured(task(2_000), *ladder()))
    numbers = finding.numbers
    assert numbers["rung"] in CONTEXTUAL
    assert numbers["against"] in CHEAP
    assert numbers["data_sets"] == 21
    assert numbers["with_others_high"] - numbers["with_others_low"] < numbers["high"] - numbers["low"]
    assert min(numbers["gap"], PRIOR.mean) <= numbers["with_others"] <= max(numbers["gap"], PRIOR.mean)
    assert "The verdict rests on these labels alone." in finding.text


@pytest.mark.parametrize(
    ("rows", "rungs"),
    [
        (2_000, ladder(contextual=("another",))),
        (2_000, ladder(cheap=("tfidf",))),
        (2_000, ladder(contextual=())),
        (300, ladder()),
    ],
)
def test_of_studies_that_are_unlike_the_others_nothing_is_said(rows, rungs):
    assert list(with_other_data_sets(measured(task(rows), *rungs))) == []
