"""Conformance checks of a rung: what every way of turning text into predictions owes the ladder.

    @pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
    def test_my_rung_conforms(check):
        check(MyRung())

Each is held on a small made-up task of every kind that the rung can do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Protocol, get_args

import numpy as np

from wordworth.representations.rung import Family, Learner, Predictions, Predictor, RunContext, Rung
from wordworth.tasks.task import Examples, Labels, Task
from wordworth.testing.sample_tasks import sample_task

_TOLERANCE = 1e-4
_FEW = 8


class Check(Protocol):
    """A check of a rung; what it keeps goes to the run context's cache, the user's own unless another is given."""

    __name__: str

    def __call__(self, rung: Rung, run_context: RunContext | None = None) -> None:
        """Raise AssertionError where the rung fails; the message names the kind of task and what went wrong."""
        ...


def rung_checks() -> list[Check]:
    """Every check, to be called with a rung; each raises AssertionError where the rung fails it."""
    return [
        check_has_metadata,
        check_predictions_fit_the_kind,
        check_it_learns_from_its_rows_alone,
        check_same_seed_same_bytes,
        check_it_learns_from_very_few,
        check_it_answers_as_it_predicts,
        check_batch_invariance,
        check_odd_texts_are_answered,
        check_its_cost_is_stated,
    ]


def check_has_metadata(rung: Rung, run_context: RunContext | None = None) -> None:  # noqa: ARG001 - a Check
    """Name, title, family and kinds are there."""
    assert isinstance(rung, Rung), "a rung has name, title, family, kinds and open"
    assert rung.name, "name is empty"
    assert rung.title, "title is empty"
    assert rung.family in get_args(Family), f"family {rung.family!r} is none of {get_args(Family)}"
    assert rung.kinds(), "it can do no kind of task"


@dataclass(frozen=True, slots=True)
class Bench:
    """A rung, a task it can do, what it works with, and the rung opened on the task."""

    rung: Rung
    task: Task
    run_context: RunContext
    learner: Learner

    def fit(self, rows: int | None = None, seed: int = 0) -> Predictor:
        """The learner fitted on the first training rows."""
        return self.learner.fit(self.task.train[:rows], np.random.default_rng(seed))

    def says(self, what: str) -> str:
        """A message that names the rung and the kind of task."""
        return f"{self.rung.name}, {self.task.kind}: {what}"


def _on_every_kind(hold: Callable[[Bench], None]) -> Check:
    """A check of the rung from one of the rung opened on a task: on a task of every kind that it can do."""

    @wraps(hold)
    def check(rung: Rung, run_context: RunContext | None = None) -> None:
        for kind in sorted(rung.kinds()):
            task, at = sample_task(kind), run_context or RunContext()
            hold(Bench(rung, task, at, rung.open(task, at)))

    return check


@_on_every_kind
def check_predictions_fit_the_kind(bench: Bench) -> None:
    """Scores of each class, values or tags, one entry a row, none of them NaN."""
    said = bench.fit().predict(bench.task.test)
    assert len(said) == len(bench.task.test), bench.says("one prediction a row is due")
    if isinstance(said, tuple):
        words = bench.task.examples.words or ()
        for row, tags in zip(bench.task.test, said, strict=True):
            assert len(tags) == len(words[row]), bench.says("one tag a word is due")
        return
    shape = (len(bench.task.test),) if bench.task.kind == "regression" else (len(said), len(bench.task.classes))
    assert said.shape == shape, bench.says(f"predictions are {said.shape}, not {shape}")
    assert not np.isnan(said).any(), bench.says("a prediction is NaN")


@_on_every_kind
def check_it_learns_from_its_rows_alone(bench: Bench) -> None:
    """Labels of all other rows may be anything."""
    half = bench.task.train[: len(bench.task.train) // 2]
    elsewhere = replace(bench.task, labels=_scrambled(bench.task, half))
    said = bench.learner.fit(half, np.random.default_rng(0)).predict(bench.task.test)
    again = bench.rung.open(elsewhere, bench.run_context).fit(half, np.random.default_rng(0)).predict(bench.task.test)
    assert _same(said, again), bench.says("predictions change with labels it was not given")


@_on_every_kind
def check_same_seed_same_bytes(bench: Bench) -> None:
    """The generator decides everything random, whatever was fitted before."""
    said = bench.fit().predict(bench.task.test)
    bench.fit(_FEW, seed=1)
    assert _same(said, bench.fit().predict(bench.task.test)), bench.says("a second fit gives other bytes")
    reopened = replace(bench, learner=bench.rung.open(bench.task, bench.run_context))
    assert _same(said, reopened.fit().predict(bench.task.test)), bench.says("a second opening gives other bytes")


@_on_every_kind
def check_it_learns_from_very_few(bench: Bench) -> None:
    """Eight labels, one label: still an answer."""
    for rows in (_FEW, 1):
        said = bench.fit(rows).predict(bench.task.test)
        assert len(said) == len(bench.task.test), bench.says(f"no predictions from {rows} labels")


@_on_every_kind
def check_it_answers_as_it_predicts(bench: Bench) -> None:
    """The whole path from characters gives what cached features give."""
    predictor, rows = bench.fit(), bench.task.test
    said, answered = predictor.predict(rows), predictor.answer(bench.task.examples.take(rows))
    assert _near(said, answered), bench.says("answer(examples) differs from predict(rows) on the same texts")


@_on_every_kind
def check_batch_invariance(bench: Bench) -> None:
    """A text alone gets what it gets among others."""
    predictor, row = bench.fit(), bench.task.test[:1]
    alone = predictor.answer(bench.task.examples.take(row))
    among = predictor.answer(bench.task.examples.take(bench.task.test))
    assert _near(alone, among[:1]), bench.says("a text alone gets another answer")


@_on_every_kind
def check_odd_texts_are_answered(bench: Bench) -> None:
    """No text, marks, control characters, right-to-left and long text are inputs like any other."""
    odd = ("", "?!", "\x07\u200d", "שלום 🙂", "long " * 400)
    examples = Examples(odd)
    if bench.task.examples.second is not None:
        examples = Examples(odd, odd[::-1])
    if bench.task.examples.words is not None:
        examples = Examples(odd, None, tuple(tuple(text.split()) for text in odd))
    said = bench.fit().answer(examples)
    assert len(said) == len(odd), bench.says("odd texts are not all answered")


@_on_every_kind
def check_its_cost_is_stated(bench: Bench) -> None:
    """Numbers that are not negative."""
    cost = bench.learner.cost()
    stated = (cost.disk_bytes, cost.parameters, cost.num_features, cost.price_per_million)
    assert min(stated) >= 0, bench.says(f"its cost is negative: {cost}")


def _scrambled(task: Task, kept: np.ndarray) -> Labels:
    """The labels with all but those of `kept` taken from elsewhere; the sets of values stay what they were."""
    others = np.setdiff1d(np.arange(len(task.examples)), kept)
    if isinstance(task.labels, tuple):
        labels = [tags.copy() for tags in task.labels]
        for row in others:
            labels[row] = (len(task.classes) - 1) - labels[row]
        return tuple(labels)
    turned = task.labels.copy()
    turned[others] = np.roll(turned[others], 7, axis=0)[::-1]
    assert not np.array_equal(turned, task.labels), "the sample task is too uniform for this check"
    return turned


def _same(left: Predictions, right: Predictions) -> bool:
    if isinstance(left, tuple) or isinstance(right, tuple):
        return all(np.array_equal(one, other) for one, other in zip(left, right, strict=True))
    return np.array_equal(left, right)


def _near(left: Predictions, right: Predictions) -> bool:
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _same(left, right)
    return np.allclose(left, right, rtol=_TOLERANCE, atol=_TOLERANCE)
