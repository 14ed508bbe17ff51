"""Classes, values and chosen options, a row an example: `.tsv`, `.csv`, `.jsonl`, `.parquet`, or a `.txt` of lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.formats.part import Part
from wordworth.tasks.predictions.align import ExpectedIds, by_id, in_order, unique
from wordworth.text.raw_file import RawFile, read_stored
from wordworth.text.tables.read import read_stored_rows
from wordworth.text.tables.table import TextTable

PREDICTED = ("prediction", "predictions", "predicted", "answer", "choice", "value", "label")
NAMED = ("index", "id", "pairID", "guid")

Floats = NDArray[np.float64]


def read_predictions(path: Path, of: DatasetSpec, part: Part, asked: ExpectedIds) -> Floats:
    """Scores of the classes or options, float64 [n, classes], 1 for the predicted one; or values, float64 [n].

    With a column of ids (`index`, as GLUE has it, or `id`) rows may stand in any order: they are the data set's own, or
    the numbers of its rows from 0. A missing option scores -inf.

    Raises:
        BadInput: rows are missing or too many, or a cell is no class, no number of an option or no value.
    """
    stored = read_stored(path)
    table = _table(stored)
    cells = table.columns[_column(table, PREDICTED)]
    names = next((table.columns[name] for name in NAMED if name in table.columns), None)
    if names is None:
        rows = in_order(asked, range(len(cells)), table.path)
    else:
        unique(names, table.path)
        rows = by_id(_called(asked, names), {name: row for row, name in enumerate(names)}, table.path)
    if of.kind == "regression":
        return np.array([_value(table, row, cells[row]) for row in rows])
    if of.kind == "choice":
        counts = [len(options) for options in part.examples.options or ()]
        return _chosen(table, rows, cells, counts)
    found = np.zeros((len(rows), len(of.classes)))
    for place, row in enumerate(rows):
        found[place, _class(table, row, cells[row], of.classes)] = 1
    return found


def _table(stored: RawFile) -> TextTable:
    if stored.suffix != ".txt":
        return read_stored_rows(stored)
    lines = [line.rstrip("\r") for line in stored.text().split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return TextTable({"prediction": lines}, stored.path, stored.sha256, range(1, len(lines) + 1))


def _called(asked: ExpectedIds, names: Sequence[str]) -> ExpectedIds:
    """What predictions call the rows: GLUE's submissions number those of QQP too, which has ids of its own."""
    numbers = tuple(map(str, range(len(asked.ids))))
    own, numbered = (set(names) <= set(known) for known in (asked.ids, numbers))
    return replace(asked, ids=numbers) if numbered and not own else asked


def _column(table: TextTable, names: Sequence[str]) -> str:
    found = next((name for name in names if name in table.columns), None)
    if found is None:
        there = ", ".join(map(repr, list(table.columns)[:5]))
        mend = f"name the column 'prediction' (the first there are: {there})"
        raise BadInput("no column of predictions", where=table.path, mend=mend)
    return found


def _class(table: TextTable, row: int, cell: str, classes: tuple[str, ...]) -> int:
    if cell.strip() not in classes:
        raise BadInput(f"prediction {cell!r}", where=table.where(row), mend=nearest(cell.strip(), classes))
    return classes.index(cell.strip())


def _value(table: TextTable, row: int, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(f"prediction {cell!r} is no finite number", where=table.where(row), mend="write a number")
    return value


def _chosen(table: TextTable, rows: Sequence[int], cells: Sequence[str], counts: Sequence[int]) -> Floats:
    found = np.full((len(rows), max(counts)), -np.inf)
    for place, (row, count) in enumerate(zip(rows, counts, strict=True)):
        if cells[row].strip() not in map(str, range(count)):
            mend = "write the option's number, from 0"
            raise BadInput(f"prediction {cells[row]!r} is none of 0 to {count - 1}", where=table.where(row), mend=mend)
        found[place, :count] = 0
        found[place, int(cells[row])] = 1
    return found
