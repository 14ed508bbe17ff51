"""Read predicted classes, numbers or options, one row for each example: TSV, CSV, JSON Lines, Parquet or `.txt`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.prediction_readers.align import ExpectedIds, by_id, in_order, unique
from wordworth.tasks.task_types.prediction_cells import PredictedCell
from wordworth.tasks.usual_columns import IDS, PREDICTIONS, usual_column
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.file_formats.txt import read_txt
from wordworth.text.read_compressed_file import RawFile, read_raw

Floats = NDArray[np.float64]


def read_predictions(path: Path, spec: DatasetSpec, part: Part, expected: ExpectedIds) -> Floats:
    """Read predicted classes, options or numbers from a file with one row for each example.

    Classes and options become scores, float64 [n, classes or options], with 1 for the predicted class or option;
    numbers become float64 [n]. With a column of ids (`index`, as in GLUE, or `id`) rows may be in any order. The ids
    are the data set's own or, in a data set without ids, row numbers from 0. If an example has fewer options than
    others, the options that it lacks have the score -inf.

    Args:
        path: the file of predictions.
        spec: the published data set whose items were predicted, which gives the kind of task and the classes.
        part: the part that is predicted, which gives the options of its examples.
        expected: the ids of the part's examples.

    Raises:
        BadInput: rows are missing or too many, or a cell is not a class, an option's number or a number.
    """
    file = read_raw(path)
    table = _table(file)
    cells = table.columns[_prediction_column(table)]
    id_column = usual_column(table.columns, IDS)
    if id_column is None:
        rows = in_order(expected, range(len(cells)), table.path)
    else:
        names = table.columns[id_column]
        unique(names, table.path)
        rows = by_id(_with_ids_of_file(expected, names), {name: row for row, name in enumerate(names)}, table.path)
    options = part.examples.options or ((),) * len(rows)
    located = [PredictedCell(cells[row], table.where(row)) for row in rows]
    return task_types.get(spec.kind).parse_predictions(located, spec.classes, options)


def _table(file: RawFile) -> TextTable:
    if file.suffix != ".txt":
        return read_table(file)
    table = read_txt(file)
    return replace(table, columns={"prediction": table.columns["text"]})


def _with_ids_of_file(expected: ExpectedIds, names: Sequence[str]) -> ExpectedIds:
    """Return the expected ids, or row numbers from 0 if the file has these in place of the ids.

    GLUE's submissions have row numbers, also for a data set with ids (QQP).

    Args:
        expected: the ids of the part's examples.
        names: the ids in the file.
    """
    numbers = tuple(map(str, range(len(expected.ids))))
    own, numbered = (set(names) <= set(known) for known in (expected.ids, numbers))
    return replace(expected, ids=numbers) if numbered and not own else expected


def _prediction_column(table: TextTable) -> str:
    column = usual_column(table.columns, PREDICTIONS)
    if column is None:
        available = ", ".join(map(repr, list(table.columns)[:5]))
        mend = f"name the column 'prediction' (the file's first columns: {available})"
        raise BadInput("no column of predictions", where=table.path, mend=mend)
    return column
