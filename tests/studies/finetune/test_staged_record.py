"""The record of a staged transfer: gains in words, and texts that two stages share."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from wordworth.studies.finetune.results import Difference
from wordworth.studies.finetune.staged_record import _gains, _shared_texts
from wordworth.testing.sample_tasks import sample_task


def stage(task):
    return SimpleNamespace(task=task, spec=SimpleNamespace(split=SimpleNamespace(train=task.train)))


def chain(*tasks):
    made = [stage(task) for task in tasks]
    return SimpleNamespace(stages=made, target=made[-1])


def test_a_gain_is_sure_if_it_is_over_all_three_controls():
    of = {name: Difference(3, 0.05, 0.01, 0.09) for name in ("target alone", "shuffled labels", "more updates")}
    staged = chain(
        replace(sample_task("classification"), name="nli"), replace(sample_task("regression"), name="stories")
    )
    (finding,) = _gains(staged, of | {"options only": Difference(3, 0.2, 0.1, 0.3)})
    assert finding.text == (
        "Learning nli first is worth +5.0 points (+1.0 to +9.0) over stories alone, +5.0 points (+1.0 to +9.0) over a "
        "transfer with shuffled labels, +5.0 points (+1.0 to +9.0) over as many updates on stories alone: a gain "
        "beyond doubt over all three. Over the options read without their contexts it is +20.0 points (+10.0 to +30.0)."
    )
    (doubtful,) = _gains(staged, of | {"more updates": Difference(3, 0.01, -0.02, 0.04)})
    assert not doubtful.numbers["sure"]
    assert finding.numbers["headline"] == "+5.0 points by nli first: a sure gain."
    assert doubtful.numbers["headline"] == "+5.0 points by nli first: no sure gain."
    assert _gains(staged, {}) == []


def test_test_texts_that_a_stage_before_learned_from_are_counted():
    task = sample_task("classification", 60)
    other = replace(task, train=task.test[:5], test=task.train)
    (warning,) = _shared_texts(chain(other, task))
    assert warning.numbers["rows"] >= 5
    fresh = replace(task, examples=replace(task.examples, first=tuple(f"new {row}" for row in range(60))))
    assert _shared_texts(chain(other, fresh)) == []
    assert np.array_equal(task.test, sample_task("classification", 60).test)


def test_one_run_has_no_sure_gain():
    of = {name: Difference(1, 0.05, 0.01, 0.09) for name in ("target alone", "shuffled labels", "more updates")}
    staged = chain(
        replace(sample_task("classification"), name="nli"), replace(sample_task("regression"), name="stories")
    )
    (finding,) = _gains(staged, of)
    assert not finding.numbers["sure"]
    assert finding.text.endswith("one run says nothing of other seeds, so that no gain is sure.")
    assert finding.numbers["headline"] == "+5.0 points by nli first: no sure gain."
