"""The verdict says what is sure and no more, and warnings say what may mislead."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.measures.bootstrap import Interval
from wordworth.studies.distill.comparison import Difference
from wordworth.studies.entities.comparison import SystemRuns
from wordworth.studies.entities.findings import findings
from wordworth.studies.entities.systems import LinkCounts
from wordworth.studies.finetune.results import Scored
from wordworth.training.finetuning.run_result import HyperParameters, Result

POINT = HyperParameters(learning_rate=1e-3, batch_size=8, epochs=1.0)
FACTS = {"metric_title": "accuracy", "test": 50, "train": 100}
COUNTS = [LinkCounts("train", 100, 90, 90, 9, 0), LinkCounts("test", 50, 45, 45, 9, 2)]


def runs(system, *values, state="finished"):
    results = tuple(Result(hyper_parameters=POINT, seed=n, state=state, steps=4) for n in range(3))
    return SystemRuns(system, POINT, results, Scored("accuracy", "accuracy", np.array(values), 0.4, 0.6))


def told(value, low, high, *, sure, counts=COUNTS, state="finished"):
    systems = [runs("linked", 0.5, 0.6, state=state), runs("unlinked", 0.5, 0.5)]
    difference = {"unlinked": Difference(value, Interval(low, high), sure)}
    return {each.name: each.text for each in findings(systems, difference, counts, FACTS)}


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
    assert "linked" in sentences["warning.collapsed"]
    assert not any(name.startswith("warning") for name in told(0.0, -0.1, 0.1, sure=False))


def test_without_any_run_it_says_so():
    systems = [runs("linked"), runs("unlinked")]
    (verdict, *_) = findings(systems, {}, COUNTS, FACTS)
    assert "failed" in verdict.text
