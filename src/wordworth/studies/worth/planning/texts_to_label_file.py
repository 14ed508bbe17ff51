"""Write `to_label.csv`, the texts to label next; a file that may already hold a user's labels is never replaced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.records import Table
from wordworth.text.file_formats.csv import CSV

NAME = "to_label.csv"


def require_no_labels(folder: Path | None) -> None:
    """Check that a folder has no file `to_label.csv`, which may hold a user's labels.

    Raises:
        BadInput: the folder has this file.
    """
    if folder is not None and (folder / NAME).exists():
        what = "this file of texts to label is there already, and may hold labels"
        raise BadInput(what, where=str(folder / NAME), mend="give another --out, or move the file")


def write_texts(folder: Path, table: Table) -> None:
    """Write the texts to label next as `to_label.csv`, whole or not at all.

    Args:
        folder: the folder of the plan.
        table: the texts, with an empty column of labels, as `ChosenTexts.tables` returns it.
    """
    rows: Iterator[dict[str, Any]] = iter(table.rows())
    with atomic_write(folder / NAME) as temporary:
        CSV.write(temporary, rows, dict.fromkeys(table.columns, "text"))
