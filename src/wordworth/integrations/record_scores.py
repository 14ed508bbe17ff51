"""`scores_of`: the scores of the model in a record of `worth`, `finetune` or `evaluate`, in one form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.records import Record
from wordworth.tasks import task_types
from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.datasets import names as dataset_names

_SCORED = ("worth", "finetune", "evaluate")


@dataclass(frozen=True, slots=True)
class RecordScore:
    """A score of a model on the test part of a data set.

    Attributes:
        dataset: name of the data set.
        split: the scored part of the data set.
        kind: the current name of the kind of task; empty if the record names no kind.
        metric: name of the metric.
        title: the metric's readable name.
        value: the score: from 0 to 1, or in a record of `evaluate` on the scale of the official scorer.
        details: name -> value of further numbers in the record, such as the ends `low` and `high` of the score's 95 %
            interval.
    """

    dataset: str
    split: str
    kind: str
    metric: str
    title: str
    value: float
    details: Mapping[str, float | int] = field(default_factory=dict)


def scores_of(record: Record) -> list[RecordScore]:
    """Return the scores of one model of a record, the main metric first.

    For `worth` they are the scores of the model that the verdict names, for `finetune` of the run whose weights are
    saved, for `evaluate` of the predictions.

    Raises:
        BadInput: a record of this kind has no scores of a model.
    """
    readers = {"worth": _of_ladder, "finetune": _of_runs, "evaluate": _of_predictions}
    if record.kind not in readers:
        what = f"a record of {record.kind!r} has no scores of a model on a task"
        raise BadInput(what, mend=f"give a record of {', '.join(_SCORED[:-1])} or {_SCORED[-1]}")
    return [score for score in readers[record.kind](record) if math.isfinite(score.value)]


def verdict_row(record: Record) -> Mapping[str, Any] | None:
    """Return the row of the model that the verdict of a `worth` record names; None for records without such a model."""
    rung = record.finding("verdict").numbers.get("rung")
    if record.kind != "worth" or rung is None:
        return None
    return next((row for row in record.tables["ladder"].rows() if row["rung"] == rung), None)


def _of_ladder(record: Record) -> Iterator[RecordScore]:
    row = verdict_row(record)
    if row is None:
        return
    main = record.data["metric"]
    yield _score(record, main, row["score"], row)
    for other in record.tables["metrics"].rows():
        if other["rung"] == row["rung"] and other["metric"] != main:
            yield _score(record, other["metric"], other["score"], other)


def _of_runs(record: Record) -> Iterator[RecordScore]:
    for row in record.tables["scores"].rows():
        yield _score(record, row["metric"], row["best"], {name: row[name] for name in ("mean", "low", "high", "runs")})


def _of_predictions(record: Record) -> Iterator[RecordScore]:
    parts = {part["task"]: part["part"] for part in record.data.get("parts", ())}
    for row in record.tables["scores"].rows():
        task = row["task"]
        of_task = (task, parts.get(task, "test"), _kind(record, task))
        yield RecordScore(*of_task, row["metric"], row["metric"], _number(row["score"]), _details(row))


def _score(record: Record, name: str, value: Any, row: Mapping[str, Any]) -> RecordScore:  # noqa: ANN401 - JSON
    data_set = record.data["name"]
    return RecordScore(
        data_set, "test", _kind(record, data_set), name, _title(name, record), _number(value), _details(row)
    )


def _title(name: str, record: Record) -> str:
    """Return a metric's readable name; the name itself where a package that registers it is not installed."""
    try:
        return metric(name, record.data.get("classes", ())).title
    except BadInput:
        return name


def _details(row: Mapping[str, Any]) -> dict[str, float | int]:
    """Return the finite numbers of a row that describe its score, such as ends of the interval and number of runs."""
    known = {name: row.get(name) for name in ("low", "high", "mean", "runs", "labels", "seeds", "items")}
    return {
        name: value
        for name, value in known.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }


def _number(value: Any) -> float:  # noqa: ANN401 - JSON
    """Return a score as a number; NaN where it is undefined."""
    return float(value) if isinstance(value, int | float) else math.nan


def _kind(record: Record, task: str) -> str:
    """Return the current name of a task's kind, from the record or, for a named task, from its data set."""
    if "kind" in record.data:
        return task_types.todays_name(str(record.data["kind"]))
    return task_types.todays_name(find_dataset_spec(task).kind) if task in dataset_names() else ""
