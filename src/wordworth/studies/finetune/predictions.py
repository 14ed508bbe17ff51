"""`predictions.jsonl` beside the record: what the kept run says of every test example, with the label given."""

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
    """Write an object a test example, in the order of the test part; what the record says of the file.

    Each has `row` (of the example in the files read, from 0, the first file's rows first; its place in the test part
    where that is not known), `id` where the data set has one, `gold`, `prediction`, and of classes, labels and options
    `probabilities`.
    """
    rows = [json.dumps(row, ensure_ascii=False) for row in prediction_rows(task, said)]
    write_text(out / PREDICTIONS, "\n".join(rows) + "\n")
    return {"file": PREDICTIONS, "sha256": sha256(out / PREDICTIONS), "rows": len(rows)}


def prediction_rows(task: Task, said: TaskPredictions) -> Iterator[dict[str, Any]]:
    """What is written of each test example."""
    gold = task.gold(task.test)
    for place, row in enumerate(task.test.tolist()):
        found: dict[str, Any] = {"row": place if task.numbers is None else int(task.numbers[row])}
        if task.examples.ids is not None:
            found["id"] = task.examples.ids[row]
        found["gold"] = plain_value(task, gold[place])
        found["prediction"] = plain_value(task, decided(task, said[place]))
        yield found | _probabilities(task, said[place], row)


def _probabilities(task: Task, said: Any, row: int) -> dict[str, Any]:  # noqa: ANN401 - predictions of any kind
    if task.kind in {"single", "pair", "multilabel"}:
        shares = expit(said) if task.kind == "multilabel" else softmax(said)
        named = zip(task.classes, np.round(shares, _DIGITS).tolist(), strict=True)
        return {"probabilities": dict(named)}
    if task.kind == "choice":
        options = (task.examples.options or ())[row]
        return {"probabilities": np.round(softmax(said), _DIGITS).tolist()[: len(options)]}
    return {}
