"""Tasks on which pretrained models are compared: cut to sizes that many runs can afford, the same rows for all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from wordworth.seeds import child, sorted_sample
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Rows, Task

METRICS = {
    "mrpc": "accuracy",
    "rte": "accuracy",
    "cola": "matthews",
    "sst2": "accuracy",
    "conll2003": "entity_f1",
    "squad1": "span_f1",
}
"""Task -> the metric that the paper's ablations report."""
_TAUGHT: dict[str, dict[str, Any]] = {"squad1": {"learn_from": "squadshifts_new_wiki"}}
"""SQuAD's training part is not needed: the questions of SQuADShifts on Wikipedia are asked in its way."""


@cache
def small_task(name: str, learned: int, test: int) -> Task:
    """Return a named task with at most `learned` training examples and `test` of its dev part."""
    whole = named_task(name, **_TAUGHT.get(name, {}))
    return cut(replace(whole, metric=METRICS[name]), learned, test)


def cut(task: Task, learned: int, num_test: int) -> Task:
    """Cut a task to at most `learned` training and `num_test` test examples, drawn once, in their order."""
    train, test = (
        _at_most(task.name, *each) for each in (("train", task.train, learned), ("test", task.test, num_test))
    )
    rows = np.concatenate([train, test])
    return replace(
        task,
        examples=task.examples.take(rows),
        labels=task.gold(rows),
        train=np.arange(len(train)),
        test=np.arange(len(train), len(rows)),
        numbers=None,
    )


def _at_most(name: str, part: str, rows: Rows, most: int) -> Rows:
    return sorted_sample(child(0, "small", name, part), rows, most)
