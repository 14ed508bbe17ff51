"""Sampling weights of test rows that were not drawn evenly: read them, and report their effect.

A row that was drawn with probability p stands for 1 / p rows, so that weighted scores estimate the scores on all rows
from which the test rows were drawn (Horvitz and Thompson 1952). Control variables of the rows correct the weights
(`measures.calibrated_sampling_weights`); each variable has the mean 0 over all rows from which the test rows were
drawn.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import partial

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Task
from wordworth.text.file_formats.table import TextTable


def with_weights(task: Task, rows: LabelledRows, name: str | None) -> Task:
    """Return the task with the sampling weights of its test rows, read from a column; unchanged if the user named none.

    Rows that are not of the test file have the weight 1.

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
    controls = _controls(table, name, before)
    return replace(task, examples=replace(task.examples, weights=tuple(weights), controls=controls))


def control_column(name: str, number: int) -> str:
    """Return the name of the column of a control variable in a file of weighted rows.

    Args:
        name: the column of the weights, with which the name begins.
        number: the number of the control variable, from 1.
    """
    return f"{name}_control_{number}"


def _controls(table: TextTable, name: str, before: int) -> tuple[tuple[float, ...], ...] | None:
    """Return the control variables of training and test rows, [rows][variables]; None if the test file has none.

    Args:
        table: the test file.
        name: the column of the weights.
        before: number of training rows, whose variables are 0.
    """
    names = list(
        itertools.takewhile(table.columns.__contains__, map(partial(control_column, name), itertools.count(1)))
    )
    if not names:
        return None
    columns = [[_control(cell, table.where(row)) for row, cell in enumerate(table.columns[each])] for each in names]
    return ((0.0,) * len(names),) * before + tuple(zip(*columns, strict=True))


def _control(cell: str, where: str) -> float:
    value = _number(cell)
    if not math.isfinite(value):
        mend = "take the column as the plan wrote it, or leave all columns of control variables out"
        raise BadInput(f"the control variable {cell!r:.40} is not a number", where=where, mend=mend)
    return value


def _weight(cell: str, where: str) -> float:
    weight = _number(cell)
    if not 0 < weight < math.inf:
        mend = "a row that was drawn with probability p has the weight 1 / p; leave --test-weight out for even draws"
        raise BadInput(f"the sampling weight {cell!r:.40} is not a number above 0", where=where, mend=mend)
    return weight


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def weight_finding(task: Task, name: str | None) -> tuple[Finding, ...]:
    """Return a finding with the effective sample size of a weighted test part (Kish 1965); nothing without weights.

    Args:
        task: the task with its split.
        name: the column of the weights; None if the user named none.
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
    controls = 0 if task.controls is None else task.controls.shape[1]
    if controls:
        text += (
            f" {count_of(controls, 'control variable')} of the file, whose mean over all texts drawn from is known, "
            "correct the weights for how far the test rows are from it (Deville and Särndal 1992)."
        )
    numbers = {"column": name, "rows": len(weights), "effective": alike, "controls": controls}
    return (Finding("method.test_weight", text, numbers),)
