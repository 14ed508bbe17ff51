"""The record of a study of made-up rungs: it stands whatever fails, and tells how it was made."""

from __future__ import annotations

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeLearner, FakeRung, constant, task
from tests.studies.worth.made_up import (
    TFIDF,
    Unlucky,
    at_top,
    study,
)

from wordworth.reports import render
from wordworth.representations.distilled import DistilledRung
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.record import method
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.study_result import StudyResult


@pytest.mark.parametrize("family", ["static", "frozen", "finetuned"])
@pytest.mark.parametrize("seeds", [(0,), (1,), (0, 1, 2)], ids=str)
def test_a_study_whose_runs_on_all_labels_fail_still_becomes_a_record_and_a_page(family, seeds):
    unlucky = Unlucky("unlucky", family, constant(0.9), when=at_top(*seeds))
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)), unlucky)
    assert {row["rung"] for row in record.tables["slices"].rows()} >= {"tfidf"}
    assert "it did not converge" in render(record)


class MadeOnce(DistilledRung):
    """A table that needs no encoder."""

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return FakeLearner(FakeRung(self.name, "static", constant(0.8)), task)


def test_the_method_says_that_a_distilled_table_has_read_more_texts_than_it_has_labels():
    told = {found.name: found.text for found in study(TFIDF, MadeOnce("minilm")).findings}
    assert "whole training part" in told["method.tables"]
    assert "none of its labels: where a rung learns from 18 labels" in told["method.tables"]
    assert "method.tables" not in {found.name for found in study(TFIDF).findings}


@pytest.mark.parametrize(
    ("tagging", "quick", "told"),
    [(True, True, "labels, 2 draws of each (3 of all labels)"), (False, True, "labels, 5 draws of each;")],
)
def test_the_method_tells_the_number_of_draws_that_there_were(tagging, quick, told):
    layout = LabelGrid((50, 100), tuple(np.arange(100) for _ in range(5)), quick, tagging)
    found = method(StudyResult(task(40), layout, [], Scores({}, Bootstrap(10, 0)), 0.01))
    assert told in found[0].text
    assert not any("two draws" in finding.text for finding in found)


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
