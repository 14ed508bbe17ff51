"""Conformance checks of a rung: what `worth` expects of every model that it compares.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

    @pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
    def test_my_rung_conforms(check):
        check(MyRung())

Each check runs on a small made-up task of every kind that the rung supports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Protocol

import numpy as np

from wordworth.representations.rung import Learner, Predictions, Predictor, RunContext, Rung
from wordworth.tasks.task import Examples, Labels, Task
from wordworth.testing.sample_tasks import sample_task

_TOLERANCE = 1e-4
_FEW = 8


class Check(Protocol):
    """A check of a rung, which prepares the rung with the given run context."""

    __name__: str

    def __call__(self, rung: Rung, run_context: RunContext | None = None) -> None:
        """Raise AssertionError if the rung fails; the message names the kind of task and what went wrong."""
        ...


def rung_checks() -> list[Check]:
    """Return all checks of a rung; each takes a rung and raises AssertionError if it fails."""
    return [
        check_has_metadata,
        check_predictions_fit_the_kind,
        check_it_learns_from_its_rows_alone,
        check_same_seed_same_bytes,
        check_it_learns_from_very_few,
        check_new_texts_get_the_same_predictions,
        check_batch_invariance,
        check_odd_texts_are_answered,
        check_its_cost_is_stated,
    ]


def check_has_metadata(rung: Rung, run_context: RunContext | None = None) -> None:  # noqa: ARG001 - a Check
    """Check that name, title, family and supported kinds of task are set."""
    assert isinstance(rung, Rung), "a rung has name, title, family, kinds and open"
    assert rung.name, "name is empty"
    assert rung.title, "title is empty"
    assert rung.family, "family is empty"
    assert rung.kinds(), "it supports no kind of task"


@dataclass(frozen=True, slots=True)
class Bench:
    """A rung under test on one made-up task, with the run context and the learner that the rung prepared."""

    rung: Rung
    task: Task
    run_context: RunContext
    learner: Learner

    def fit(self, rows: int | None = None, seed: int = 0) -> Predictor:
        """Fit the learner on the first training rows, and return the predictor.

        Args:
            rows: number of training rows; None takes all.
            seed: seed of the fit.
        """
        return self.learner.fit(self.task.train[:rows], np.random.default_rng(seed))

    def message(self, what: str) -> str:
        """Return `what` as the message of a failed check, after the name of the rung and the kind of task."""
        return f"{self.rung.name}, {self.task.kind}: {what}"


def _on_every_kind(check_bench: Callable[[Bench], None]) -> Check:
    """Return a check of a rung that runs `check_bench` on a made-up task of every kind that the rung supports."""

    @wraps(check_bench)
    def check(rung: Rung, run_context: RunContext | None = None) -> None:
        for kind in sorted(rung.kinds()):
            task, context = sample_task(kind), run_context or RunContext()
            check_bench(Bench(rung, task, context, rung.prepare(task, context)))

    return check


@_on_every_kind
def check_predictions_fit_the_kind(bench: Bench) -> None:
    """Check that predictions are scores of each class, values or tags, with one entry per row and without NaN."""
    predictions = bench.fit().predict(bench.task.test)
    assert len(predictions) == len(bench.task.test), bench.message("it must give one prediction per row")
    if isinstance(predictions, tuple):
        words = bench.task.examples.words or ()
        for row, tags in zip(bench.task.test, predictions, strict=True):
            assert len(tags) == len(words[row]), bench.message("it must give one tag per word")
        return
    shape = (len(bench.task.test),) if bench.task.type.numeric else (len(predictions), len(bench.task.classes))
    assert predictions.shape == shape, bench.message(f"predictions are {predictions.shape}, not {shape}")
    assert not np.isnan(predictions).any(), bench.message("a prediction is NaN")


@_on_every_kind
def check_it_learns_from_its_rows_alone(bench: Bench) -> None:
    """Check that predictions do not depend on the labels of rows outside the training rows."""
    half = bench.task.train[: len(bench.task.train) // 2]
    scrambled_task = replace(bench.task, labels=_scrambled(bench.task, half))
    predictions = bench.learner.fit(half, np.random.default_rng(0)).predict(bench.task.test)
    again = (
        bench.rung.prepare(scrambled_task, bench.run_context)
        .fit(half, np.random.default_rng(0))
        .predict(bench.task.test)
    )
    assert _same(predictions, again), bench.message("predictions change with labels outside its training rows")


@_on_every_kind
def check_same_seed_same_bytes(bench: Bench) -> None:
    """Check that fits with the same seed give the same predictions, whatever was fitted before."""
    predictions = bench.fit().predict(bench.task.test)
    bench.fit(_FEW, seed=1)
    assert _same(predictions, bench.fit().predict(bench.task.test)), bench.message("a second fit gives different bytes")
    reopened = replace(bench, learner=bench.rung.prepare(bench.task, bench.run_context))
    assert _same(predictions, reopened.fit().predict(bench.task.test)), bench.message(
        "a second opening gives different bytes"
    )


@_on_every_kind
def check_it_learns_from_very_few(bench: Bench) -> None:
    """Check that the rung can be fitted on eight training examples, and on a single training example."""
    for rows in (_FEW, 1):
        predictions = bench.fit(rows).predict(bench.task.test)
        assert len(predictions) == len(bench.task.test), bench.message(f"no predictions from {rows} labels")


@_on_every_kind
def check_new_texts_get_the_same_predictions(bench: Bench) -> None:
    """Check that a test text gets the same prediction by its row number as if it were passed as a new text."""
    predictor, rows = bench.fit(), bench.task.test
    predictions, of_texts = predictor.predict(rows), predictor.predict_texts(bench.task.examples.take(rows))
    assert _near(predictions, of_texts), bench.message("answer(examples) differs from predict(rows) on the same texts")


@_on_every_kind
def check_batch_invariance(bench: Bench) -> None:
    """Check that a text gets the same prediction alone and in a batch with other texts."""
    predictor, row = bench.fit(), bench.task.test[:1]
    alone = predictor.predict_texts(bench.task.examples.take(row))
    in_batch = predictor.predict_texts(bench.task.examples.take(bench.task.test))
    assert _near(alone, in_batch[:1]), bench.message("a text alone gets a different prediction")


@_on_every_kind
def check_odd_texts_are_answered(bench: Bench) -> None:
    """Check that empty texts, punctuation, control characters, right-to-left and long texts get predictions."""
    odd = ("", "?!", "\x07\u200d", "שלום 🙂", "long " * 400)
    examples = Examples(odd)
    if bench.task.examples.second is not None:
        examples = Examples(odd, odd[::-1])
    if bench.task.examples.words is not None:
        examples = Examples(odd, None, tuple(tuple(text.split()) for text in odd))
    predictions = bench.fit().predict_texts(examples)
    assert len(predictions) == len(odd), bench.message("not all odd texts get a prediction")


@_on_every_kind
def check_its_cost_is_stated(bench: Bench) -> None:
    """Check that the rung states its costs, and that none is negative."""
    cost = bench.learner.cost()
    amounts = (cost.disk_bytes, cost.parameters, cost.num_features, cost.price_per_million)
    assert min(amounts) >= 0, bench.message(f"its cost is negative: {cost}")


def _scrambled(task: Task, fixed: np.ndarray) -> Labels:
    """Return a copy of a task's labels, scrambled in all rows but `fixed`; no new values appear.

    A row may keep its label by chance, but the labels as a whole differ.
    """
    others = np.setdiff1d(np.arange(len(task.examples)), fixed)
    if isinstance(task.labels, tuple):
        labels = [tags.copy() for tags in task.labels]
        for row in others:
            labels[row] = (len(task.classes) - 1) - labels[row]
        return tuple(labels)
    scrambled = task.labels.copy()
    scrambled[others] = np.roll(scrambled[others], 7, axis=0)[::-1]
    assert not np.array_equal(scrambled, task.labels), "the sample task is too uniform for this check"
    return scrambled


def _same(left: Predictions, right: Predictions) -> bool:
    if isinstance(left, tuple) or isinstance(right, tuple):
        return all(np.array_equal(array, other) for array, other in zip(left, right, strict=True))
    return np.array_equal(left, right)


def _near(left: Predictions, right: Predictions) -> bool:
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _same(left, right)
    return np.allclose(left, right, rtol=_TOLERANCE, atol=_TOLERANCE)
