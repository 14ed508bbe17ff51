"""The score by which settings are chosen: the task's metric, or a simpler measure where the metric is undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from wordworth.measures.metrics import metric

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Predicted
    from wordworth.tasks.task import Labels


class Scored(Protocol):
    """An interface: anything with classes and a metric, such as a task or a part of a task."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes or tags; empty for tasks without them."""
        ...

    @property
    def metric(self) -> str:
        """The name of the metric, as `wordworth.measures.metrics.metric` knows it."""
        ...


def selection_score(task: Scored, labels: Labels, predictions: Predicted) -> float:
    """Return the score of predictions by the task's metric, to choose settings by.

    If the metric is undefined on these labels, the score is accuracy (in regression minus the mean squared error).

    Args:
        task: the task, or another object with a metric and classes.
        labels: the gold labels.
        predictions: the predictions.
    """
    value = float(metric(task.metric, task.classes).score(labels, predictions))
    return value if np.isfinite(value) else _fallback(labels, predictions)


def _fallback(labels: Labels, predictions: Predicted) -> float:
    if isinstance(labels, tuple):
        return float(np.mean(np.concatenate(labels) == np.concatenate(predictions)))
    assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
    if np.issubdtype(labels.dtype, np.floating):
        return -float(np.mean((labels - predictions) ** 2))
    if labels.dtype == np.bool_:
        return float(np.mean((predictions > 0) == labels))
    return float(np.mean(predictions.argmax(1) == labels))
