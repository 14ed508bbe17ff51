"""The record of a study of made-up rungs: it stands whatever fails, and tells how it was made."""

from __future__ import annotations

from dataclasses import dataclass

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
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.record import method
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.rung_result import RungResult
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
    layout = LabelGrid((50, 100), tuple(np.arange(100) for _ in range(5)), quick=quick, tagging=tagging)
    found = method(StudyResult(task(40), layout, [], Scores({}, Bootstrap(10, 0)), 0.01))
    assert told in found[0].text
    assert not any("two draws" in finding.text for finding in found)


def test_the_method_says_where_many_classes_left_few_draws():
    orders = tuple(np.arange(2_000) for _ in range(5))
    layout = LabelGrid((500, 1_000, 2_000), orders, classes=60)
    found = {
        step.name: step.text for step in method(StudyResult(task(40), layout, [], Scores({}, Bootstrap(10, 0)), 0.01))
    }
    assert "labels, 5 draws of each (2 of 1,000 labels)" in found["method.curves"]
    assert "many labels of 60 classes" in found["method.classes"]


def test_a_reader_is_told_of_the_margin_by_the_name_of_its_option():
    record = study(
        TFIDF, FakeRung("hopeless", "finetuned", constant(0.55)), FakeRung("minilm", "frozen", constant(0.95))
    )
    assert "more than the margin" in record.finding("dropped.hopeless").text
    told = [found.text for found in record.findings]
    told += [text for table in record.tables.values() for text in table.describe.values()]
    assert not [text for text in told if "epsilon" in text]


def fine_tuned(**runs):
    """The sentence on fine-tuning of a study in which rungs learned at these sizes, so many runs at each."""
    rungs = {name: FakeRung(name, "finetuned", constant(0.8)) for name in runs}
    table = {
        (name, labels): RunScores(np.full(count, 0.8), np.full((count, 20), 0.8))
        for name, sizes in runs.items()
        for labels, count in sizes.items()
    }
    layout = LabelGrid((40, 320), tuple(np.arange(320) for _ in range(5)))
    results = [RungResult(rung, FakeLearner(rung, task(40))) for rung in rungs.values()]
    steps = method(StudyResult(task(40), layout, results, Scores(table, Bootstrap(10, 0)), 0.01))
    return next(found.text for found in steps if found.name == "method.finetuning")


def test_fine_tuned_rungs_with_different_runs_are_named():
    told = fine_tuned(small={40: 2, 320: 3}, large={40: 2, 320: 1})
    assert (
        "draws: 40 labels (2 runs), 320 labels (3 runs) for Small; 40 labels (2 runs), 320 labels (1 run) for Large."
        in told
    )
    assert "One run does not show" in told


def test_fine_tuned_rungs_with_the_same_runs_are_told_of_once():
    told = fine_tuned(small={40: 2, 320: 3}, large={40: 2, 320: 3})
    assert told.endswith("draws: 40 labels (2 runs), 320 labels (3 runs).")


@dataclass(frozen=True)
class InWords(FakeRung):
    """A rung whose title is words, or the name of a model."""

    @property
    def title(self):
        return {"random": "random vectors", "glove": "glove-100"}[self.name]


@pytest.mark.parametrize(("name", "family", "begins"), [
    ("random", "random", "Random vectors ("), ("glove", "static", "glove-100 ("),
])  # fmt: skip
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_the_name_of_a_model(name, family, begins):
    record = study(TFIDF, InWords(name, family, constant(0.2)))
    assert record.finding("warning.below_guessing").text.startswith(begins)
