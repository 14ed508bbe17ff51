"""The verdict says what is sure and no more, and warnings say what may mislead."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.measures.bootstrap import Interval
from wordworth.studies.entities.comparison import SystemRuns
from wordworth.studies.entities.findings import findings
from wordworth.studies.entities.systems import LinkCounts
from wordworth.studies.estimate import Estimate
from wordworth.studies.finetune.results import Scored
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run_result import HyperParameters, Result

POINT = HyperParameters(learning_rate=1e-3, batch_size=8, epochs=1.0)
FACTS = {"metric_title": "accuracy", "test": 50, "train": 100}
TASK = sample_task("classification")
COUNTS = [LinkCounts("train", 100, 90, 90, 9, 0), LinkCounts("test", 50, 45, 45, 9, 2)]


def runs(system, *values, state="finished", dev=0, least=0.55):
    results = tuple(Result(hyper_parameters=POINT, seed=n, state=state, steps=4) for n in range(3))
    return SystemRuns(system, POINT, results, Scored("accuracy", "accuracy", np.array(values), least, 0.6), dev)


def found(value, low, high, *, sure, counts=COUNTS, **outcome):
    """The findings of two systems whose runs have this outcome; the baseline scores 0.5."""
    systems = [runs("linked", 0.5, 0.6, **outcome), runs("unlinked", 0.5, 0.5, **outcome)]
    difference = {"unlinked": Estimate(value, Interval(low, high), sure)}
    return findings(systems, difference, counts, FACTS, TASK)


def told(*args, **options):
    return {each.name: each.text for each in found(*args, **options)}


@pytest.mark.parametrize(
    ("value", "low", "high", "sure", "words"),
    [
        (0.05, 0.01, 0.09, True, "surely ahead of no entities: +5.0 points"),
        (-0.05, -0.09, -0.01, True, "surely behind no entities"),
        (0.01, -0.02, 0.04, False, "not surely different from no entities"),
    ],
)
def test_only_a_sure_difference_is_called_one(value, low, high, sure, words):
    assert words in told(value, low, high, sure=sure)["verdict"]


def test_few_links_and_collapsed_runs_are_warned_of():
    few = [COUNTS[0], replace(COUNTS[1], linked_rows=5)]
    sentences = told(0.0, -0.1, 0.1, sure=False, counts=few, state="collapsed")
    assert "Only 10 % of the test rows have an entity" in sentences["warning.few_links"]
    assert "the links of the texts" in sentences["warning.collapsed"]
    assert "More epochs" in sentences["warning.collapsed"]
    assert not any(name.startswith("warning") for name in told(0.0, -0.1, 0.1, sure=False))


def test_without_any_run_it_says_so():
    systems = [runs("linked"), runs("unlinked")]
    (verdict, *_) = findings(systems, {}, COUNTS, FACTS, TASK)
    assert "failed" in verdict.text


def test_scores_no_better_than_the_baseline_are_the_headline():
    verdict, warning, *_ = found(0.0, -0.1, 0.1, sure=False, least=0.1)
    assert verdict.numbers["headline"] == "No system is surely above a baseline without a model."
    assert warning.name == "warning.unlearned"


def test_what_chooses_the_step_is_said_with_a_dev_part_and_without():
    assert "20 of them are kept apart as a dev part" in told(0.0, -0.1, 0.1, sure=False, dev=20)["method.training"]
    without = told(0.0, -0.1, 0.1, sure=False)["method.training"]
    assert "There was no dev part (10 % of 100 rows is fewer than 20)" in without
