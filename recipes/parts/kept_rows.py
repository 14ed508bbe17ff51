"""`kept_rows`: the rows of a record that an earlier run of a recipe wrote, which the recipe goes on from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput


def kept_rows(out: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a record; none if there is no record yet.

    Args:
        out: file of the record.
        name: name of the rows in the record.

    Raises:
        BadInput: if the file is not a record with such rows.
    """
    if not out.exists():
        return []
    try:
        rows: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))[name]
    except (ValueError, KeyError, TypeError):
        raise BadInput(
            f"no record of this recipe: it has no {name!r}", where=str(out), mend="give another --out"
        ) from None
    return rows
