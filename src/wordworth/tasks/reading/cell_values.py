"""Cells that hold several values, and cells that are empty."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.tasks.reading.labelled_rows import LabelledRows

_MISSING = {"", "nan"}
_SPACE = re.compile(r"[ \t\r\n]+")


def check_present(sheet: LabelledRows, cells: Sequence[str]) -> None:
    """Refuse empty and NaN labels (`null` and `NA` are ordinary words).

    Raises:
        BadInput: some are missing; names the lines.
    """
    missing = absent(cells)
    if missing:
        path, locations = sheet.listed(missing)
        what = f"{len(missing)} of {len(cells)} rows have no label ({locations})"
        raise BadInput(what, where=path, mend="fill them in, or skip such rows with --skip-unusable")


def absent(cells: Sequence[str]) -> list[int]:
    """The rows whose label is missing."""
    return [row for row, cell in enumerate(cells) if cell.lower() in _MISSING]


def values(cell: str) -> list[str] | None:
    """The values of a JSON array, None for any other cell."""
    if not cell.startswith("["):
        return None
    try:
        items = parse_json(cell)
    except ValueError:
        return None
    return [value if isinstance(value, str) else json.dumps(value) for value in items]


def words(cell: str) -> list[str]:
    """The words (or tags) of a sentence: the items of a JSON array, else the cell split at spaces."""
    listed = values(cell)
    return [word for word in _SPACE.split(cell) if word] if listed is None else listed
