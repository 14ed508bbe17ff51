"""Texts of the test part where only one of two rungs is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import errors
from wordworth.records import Table
from wordworth.tasks.label_text import decided, written

if TYPE_CHECKING:
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.tasks.task import Task

EXAMPLES = {
    "which": "which of the two is right: cheap or contextual",
    "text": "the text, at most 600 characters of it",
    "second": "the other text of a pair",
    "gold": "the label given",
    "cheap": "prediction of the cheap rung",
    "contextual": "prediction of the contextual rung",
    "cheap_rung": "the cheap rung",
    "contextual_rung": "the contextual rung",
}
MOST = 6
_LENGTH = 600


def examples_table(task: Task, cheap: RungResult | None, contextual: RungResult | None, labels: int) -> Table:
    """Texts that one rung gets right in most runs and the other wrong in most, the clearest first.

    Args:
        task: the test part.
        cheap: the cheap rung; without it the table is empty.
        contextual: the contextual rung; without it the table is empty.
        labels: the size of the runs to compare.
    """
    if cheap is None or contextual is None:
        return Table.of([], EXAMPLES)
    wrong_cheap, wrong_contextual = (mean_errors(entry, task, labels) for entry in (cheap, contextual))
    rows = []
    for which, margin in (("contextual", wrong_cheap - wrong_contextual), ("cheap", wrong_contextual - wrong_cheap)):
        order = np.lexsort((task.test, -margin))[:MOST]
        rows += [_row(which, task, item, (cheap, contextual), labels) for item in order if margin[item] > 0.5]  # noqa: PLR2004 - a majority
    return Table.of(rows, EXAMPLES)


def mean_errors(entry: RungResult, task: Task, labels: int) -> np.ndarray:
    """float64 [test items]: the share of runs (or mean loss) that get each item wrong at one size."""
    gold = task.gold(task.test)
    losses = [
        errors(gold, run.predictions) for run in entry.runs if run.labels == labels and run.predictions is not None
    ]
    return np.mean(losses, axis=0) if losses else np.full(len(task.test), np.nan)


def _row(which: str, task: Task, item: int, pair: tuple[RungResult, RungResult], labels: int) -> dict[str, Any]:
    row = int(task.test[item])
    predictions = [_prediction_text(task, _first(entry, labels), item) for entry in pair]
    return {
        "which": which,
        "text": _short(task.examples.first[row]),
        "second": _short(task.examples.second[row]) if task.examples.second else "",
        "gold": written(task, task.gold(np.array([row]))[0], row),
        "cheap": predictions[0],
        "contextual": predictions[1],
        "cheap_rung": pair[0].rung.name,
        "contextual_rung": pair[1].rung.name,
    }


def _first(entry: RungResult, labels: int) -> Predictions:
    return next(run.predictions for run in entry.runs if run.labels == labels and run.predictions is not None)


def _short(text: str) -> str:
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def _prediction_text(task: Task, predictions: Predictions, item: int) -> str:
    return written(task, decided(task, predictions[item]), int(task.test[item]))
