"""Sampling weights of test rows that were not drawn evenly: read them, and report their effect.

A row that was drawn with probability p stands for 1 / p rows, so that weighted scores estimate those of all rows that
the test rows were drawn from (Horvitz and Thompson 1952).
"""

from __future__ import annotations

import math
from dataclasses import replace

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Task


def with_weights(task: Task, rows: LabelledRows, name: str | None) -> Task:
    """Return the task with the sampling weight of each row set; unchanged where the user named no column of weights.

    Args:
        task: the task over all rows of its files.
        rows: the rows of the task.
        name: the column of weights in the test file; None if the user named none.

    Raises:
        BadInput: the test file lacks the column, or a weight is not a number above 0; the error names its line.
    """
    table = rows.test_table
    if name is None or table is None:
        return task
    weights, before = [1.0] * len(rows), len(rows.tables[0])
    for row, cell in enumerate(table.column(name, "test weight")):
        weights[before + row] = _weight(cell, table.where(row))
    return replace(task, examples=replace(task.examples, weights=tuple(weights)))


def _weight(cell: str, where: str) -> float:
    try:
        weight = float(cell)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        mend = "a row that was drawn with probability p has the weight 1 / p; leave --test-weight out for even draws"
        raise BadInput(f"the sampling weight {cell!r:.40} is not a number above 0", where=where, mend=mend)
    return weight


def weight_finding(task: Task, name: str | None) -> tuple[Finding, ...]:
    """Return a finding with the effective sample size of the weighted test part (Kish 1965); nothing without weights.

    Args:
        task: the task with its split.
        name: the column of the weights.
    """
    weights = task.sampling_weights
    if task.examples.weights is None:
        return ()
    alike = float(weights.sum() ** 2 / (weights**2).sum())  # the effective sample size of Kish (1965)
    text = (
        f"Test rows are weighted by {name!r}. For the score of one rung the {len(weights):,} of them say as much as "
        f"{alike:,.0f} drawn evenly; where they were drawn because rungs disagree on them, they say far more about the "
        "difference of these rungs. Calibration, abstention, prediction sets and slices are left out, as they count "
        "rows evenly."
    )
    return (Finding("method.test_weight", text, {"column": name, "rows": len(weights), "effective": alike}),)
