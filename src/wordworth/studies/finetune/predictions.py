"""`predictions.jsonl` beside the record: the best run's prediction for every test example, with its gold label."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, softmax

from wordworth.files import sha256, write_text
from wordworth.tasks.label_text import decided, plain_value

if TYPE_CHECKING:
    from wordworth.tasks.task import Task
    from wordworth.training.task_heads.base import TaskPredictions

PREDICTIONS = "predictions.jsonl"
_DIGITS = 6


def write_predictions(task: Task, said: TaskPredictions, out: Path) -> dict[str, Any]:
    """Write one object per test example, in the order of the test part; return the record's entry for the file.

    Each object has `row` (index of the example in the files read, from 0, the first file's rows first; its index in the
    test part where that is unknown), `id` where the data set has one, `gold`, `prediction`, and for classes, labels and
    options `probabilities`.
    """
    rows = [json.dumps(row, ensure_ascii=False) for row in prediction_rows(task, said)]
    write_text(out / PREDICTIONS, "\n".join(rows) + "\n")
    return {"file": PREDICTIONS, "sha256": sha256(out / PREDICTIONS), "rows": len(rows)}


def prediction_rows(task: Task, said: TaskPredictions) -> Iterator[dict[str, Any]]:
    """Yield the object of each test example."""
    gold = task.gold(task.test)
    for index, row in enumerate(task.test.tolist()):
        values: dict[str, Any] = {"row": index if task.numbers is None else int(task.numbers[row])}
        if task.examples.ids is not None:
            values["id"] = task.examples.ids[row]
        values["gold"] = plain_value(task, gold[index])
        values["prediction"] = plain_value(task, decided(task, said[index]))
        yield values | _probabilities(task, said[index], row)


def _probabilities(task: Task, scores: Any, row: int) -> dict[str, Any]:  # noqa: ANN401 - predictions of any kind
    if task.kind in {"single", "pair", "multilabel"}:
        shares = expit(scores) if task.kind == "multilabel" else softmax(scores)
        named = zip(task.classes, np.round(shares, _DIGITS).tolist(), strict=True)
        return {"probabilities": dict(named)}
    if task.kind == "choice":
        options = (task.examples.options or ())[row]
        return {"probabilities": np.round(softmax(scores), _DIGITS).tolist()[: len(options)]}
    return {}
