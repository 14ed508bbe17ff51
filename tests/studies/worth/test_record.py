"""The record of a study of made-up rungs: it stands whatever fails, and tells how it was made."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeLearner, FakeRung, constant, task
from tests.studies.worth.made_up import (
    CHOSEN,
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


def test_beside_a_metric_of_the_k_best_labels_stand_all_of_fewer_with_the_best_that_any_predictions_could_have():
    record = study(TFIDF, about=replace(task(600, classes=4), metric="recall@2"))
    rows = record.tables["metrics"].rows()
    ceilings = {row["metric"]: row["ceiling"] for row in rows}
    one_label = {"precision": lambda k: 1 / k, "recall": lambda _: 1.0, "f1": lambda k: 2 / (1 + k)}
    counted = {f"{name}@{k}": rule(k) for k in (1, 2) for name, rule in one_label.items()}
    assert {name: ceilings[name] for name in counted} == pytest.approx(counted)
    assert next(iter(ceilings)) == "recall@2"
    assert ceilings["accuracy"] is None
    assert all(row["score"] <= ceilings[row["metric"]] for row in rows if row["metric"] in counted)
    assert "at most" in render(record)
    assert "at most<" not in render(study(TFIDF))


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
    verdict, found = record.finding("verdict").numbers, record.timings["break_even"]
    assert verdict["answer"] == "cannot tell yet"
    assert (found["rung"], found["against"]) == (verdict["compared"], verdict["against"])
    assert found["multiple_low"] <= found["multiple_high"]


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


def test_the_examples_are_those_of_the_two_rungs_that_the_verdict_compares():
    better = FakeRung("glove", "static", constant(0.8))
    minilm, chosen = FakeRung("minilm", "frozen", constant(0.85)), replace(CHOSEN, margin=30)
    record = study(replace(TFIDF, accuracy=constant(0.75)), better, minilm, chosen=chosen)
    verdict, example = record.finding("verdict").numbers, next(iter(record.tables["examples"].rows()))
    assert (verdict["compared"], verdict["against"]) == ("tfidf", "minilm")
    assert (example["cheap_rung"], example["contextual_rung"]) == ("tfidf", "minilm")


def test_where_no_two_rungs_have_examples_on_both_sides_those_with_the_most_stand():
    perfect, minilm = FakeRung("glove", "static", constant(0.9)), FakeRung("minilm", "frozen", constant(1.0))
    record = study(replace(TFIDF, accuracy=constant(0.0)), perfect, minilm, chosen=replace(CHOSEN, margin=1))
    rows = list(record.tables["examples"].rows())
    assert {row["which"] for row in rows} == {"contextual"}  # no pair has the other side: that with most examples
    assert {row["contextual_rung"] for row in rows} == {"minilm"}
