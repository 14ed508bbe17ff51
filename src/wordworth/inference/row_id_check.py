"""`require_unique_row_ids`: check that the column of ids of a file has a different id in every row."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.text.file_formats.read import iterate_column


def require_unique_row_ids(path: Path, column: str) -> None:
    """Check that no two rows of a file have the same id, since a store of vectors would keep only one of them.

    Only hashes of the ids are held, in about 40 bytes a row at the peak; ids with equal hashes are read once more and
    compared.

    Args:
        path: the file.
        column: the column of ids.

    Raises:
        BadInput: two rows have the same id; the error names the first such id and both rows, and counts all rows
            whose id an earlier row has.
    """
    hashes = np.array(array("q", (hash(cell) for _, cell in iterate_column(path, column))), dtype=np.int64)
    values, counts = np.unique(hashes, return_counts=True)
    suspects = set(values[counts > 1].tolist())
    if not suspects:
        return
    first: dict[str, str] = {}
    repeated = [
        (cell, first[cell], position)
        for position, cell in iterate_column(path, column)
        if hash(cell) in suspects and first.setdefault(cell, position) != position
    ]
    if repeated:
        cell, earlier, later = repeated[0]
        what = f"the id {cell!r:.60} stands at {earlier} and at {later}"
        others = count_of(len(repeated) - 1, "more row has", "more rows have")
        more = f", and {others} the id of an earlier one" if len(repeated) > 1 else ""
        mend = "name a column without repeated ids, leave repeated rows out, or leave --id out, which numbers the rows"
        raise BadInput(what + more, where=f"{path}, column {column!r}", mend=mend)
