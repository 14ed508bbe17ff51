"""The stages of a command whose runs are cells: make the cells, then write the report."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from parts.cells import Cell, chosen, forget, work
from parts.tables import markdown
from wordworth.cli.progress_bars import Bars
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.records import Record

_EVERY = {"all", "work"}
"""Stages of all cells; another is the first word of its cells' names."""


def make_cells(options: argparse.Namespace, cells_of: Callable[[], Sequence[Cell]]) -> None:
    """Make the cells of the stage that the command line names; `report` has none.

    Args:
        options: the command line: `stage`, and `only`, patterns of the names of cells.
        cells_of: returns all cells.

    Raises:
        BadInput: an input cannot be used; if no cell is done yet, the folder's settings are removed.
    """
    if options.stage != "report":
        cells = [cell for cell in cells_of() if options.stage in {*_EVERY, cell.name.split("/")[0]}]
        try:
            work(chosen(cells, options.only), Bars())
        except BadInput:
            if not any(cell.made.exists() for cell in cells):
                forget(options.out)
            raise


def write_report(
    options: argparse.Namespace, name: str, record_of: Callable[[], Record], tables: Sequence[str]
) -> None:
    """Write a record and its tables as Markdown, and print the verdict, unless only some cells were asked for.

    Args:
        options: the command line: `stage`, `only`, and `out`, the folder of the files.
        name: name of both files.
        record_of: returns the record of the finished runs.
        tables: names of the tables in the Markdown, in order.
    """
    if options.stage in {"all", "report"} and not options.only:
        record = record_of()
        record.save(options.out / f"{name}.json")
        body = "\n\n".join(markdown(record.tables[table]) for table in tables)
        write_text(options.out / f"{name}.md", f"{record.verdict}\n\n{body}\n")
        print(record.verdict)
