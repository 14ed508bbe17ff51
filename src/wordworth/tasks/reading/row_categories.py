"""Categories of test rows that the user names in columns (a phenomenon, a topic, a source); a row may have several.

An example is the diagnostic set of GLUE (Wang et al. 2019), which has four such columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of, one_spelling
from wordworth.tasks.examples import Category
from wordworth.tasks.reading.labelled_rows import LabelledRows, absent, values
from wordworth.tasks.task import Task
from wordworth.text.file_formats.table import TextTable

LEAST_ROWS = 30
"""Fewest test rows of a category for its scores to be reported."""
ANY = "(any)"
"""The category of all rows that have some category of a column, where other rows have none."""
_SEPARATOR = ";"


def with_categories(task: Task, rows: LabelledRows) -> Task:
    """Return the task with the categories of its rows in `Examples.categories`; unchanged if the user named no column.

    Categories are subgroups by which the scores of test rows are broken down, such as a topic. If there is a test file,
    only this file needs the columns, and training rows have no category.

    Raises:
        BadInput: a column is missing, holds no category, holds the same category in every row, or has no category of at
            least `LEAST_ROWS` rows.
    """
    names = rows.columns.categories
    if not names:
        return task
    table, before = rows.tables[0], 0
    if rows.test_table is not None:
        table, before = rows.test_table, len(rows.tables[0])
    columns = [_of_column(table, name) for name in names]
    own = tuple(tuple(chain(*of_row)) for of_row in zip(*columns, strict=True))
    none = ((),) * (len(rows) - before - len(own))
    return replace(task, examples=replace(task.examples, categories=((),) * before + own + none))


def _of_column(table: TextTable, name: str) -> list[list[Category]]:
    """Return the categories of each row of a table by one column.

    If there are several categories and some rows have none, every row with a category gets the category `ANY` as well.
    """
    cells = [_names(cell) for cell in table.column(name, "category")]
    sizes = Counter(chain(*cells))
    _check(table, name, cells, sizes)
    if len(sizes) > 1 and not all(cells):
        cells = [[*each, ANY] if each else [] for each in cells]
    return [[Category(name, each) for each in dict.fromkeys(of_row)] for of_row in cells]


def _names(cell: str) -> list[str]:
    """Return the distinct categories in a cell, separated by semicolons or as a JSON array of strings.

    >>> _names("Negation; Factivity;"), _names("")
    (['Negation', 'Factivity'], [])
    """
    items = values(cell.strip())
    names = [one_spelling(item.strip()) for item in (cell.split(_SEPARATOR) if items is None else items)]
    missing = set(absent(names))
    return list(dict.fromkeys(name for number, name in enumerate(names) if number not in missing))


def _check(table: TextTable, name: str, cells: Sequence[Sequence[str]], sizes: Counter[str]) -> None:
    mend = "name another column with --category, or leave it out"
    if not sizes:
        raise BadInput(f"no row has a category in {name!r}", where=table.path, mend=mend)
    largest, size = sizes.most_common(1)[0]
    if len(sizes) == 1 and size == len(cells):
        raise BadInput(f"every row has the same category {largest!r:.60} in {name!r}", where=table.path, mend=mend)
    if size < LEAST_ROWS:
        what = (
            f"no category in {name!r} has {LEAST_ROWS} rows: the largest, {largest!r:.60}, has {count_of(size, 'row')}"
        )
        raise BadInput(what, where=table.path, mend=mend)
