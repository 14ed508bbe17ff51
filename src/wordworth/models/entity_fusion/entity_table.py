"""`EntityTable`: vectors of entities with their identifiers, as `wordworth kg train` or anybody else writes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.array_files import mapped
from wordworth.sentence_formatting import count_of
from wordworth.text.entity_links import can_be_linked
from wordworth.text.read_compressed_file import read_raw

ENTITIES = "entities"
_IDS = (".tsv", ".txt")
_FORM = "give a folder with entities.npy and entities.tsv, or an .npy with a .tsv of the same name beside it"


@dataclass(frozen=True, slots=True)
class EntityTable:
    """Vectors of entities.

    Attributes:
        ids: the identifier of each row; no two are equal.
        vectors: float32 [entities, width].
    """

    ids: tuple[str, ...]
    vectors: NDArray[np.float32]

    def scaled(self) -> NDArray[np.float32]:
        """Return the vectors, float32 [entities, width], scaled by a factor such that their mean square is 1."""
        mean_square = float(np.square(self.vectors, dtype=np.float64).mean())
        scaled: NDArray[np.float32] = (self.vectors / max(mean_square, 1e-30) ** 0.5).astype(np.float32)
        return scaled


def read_entity_table(path: Path) -> EntityTable:
    """Read a table of entity vectors.

    Args:
        path: a folder with `entities.npy` and `entities.tsv`, as `wordworth kg train` writes them, or an `.npy` with a
            `.tsv` or `.txt` of the same name beside it. The `.tsv` has a line for each row, with the identifier in its
            column `id`, or in the first column where no header names it.

    Raises:
        BadInput: a file is missing or unreadable; an identifier is empty, occurs twice, or has a character that a link
            in a text, `[[identifier|mention]]`, cannot hold; the files differ in length; or a vector has a value that
            is not finite.
    """
    array_path, ids_path = entity_files(path)
    vectors = mapped(array_path)
    ids = _read_ids(ids_path, len(vectors))
    if len(ids) != len(vectors):
        what = f"{count_of(len(ids), 'identifier')}, but {array_path.name} has {count_of(len(vectors), 'vector')}"
        raise BadInput(what, where=str(ids_path), mend="give one identifier for each vector, in the same order")
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        what = f"the vector of {ids[int(np.argmin(finite))]!r:.60} has a value that is not finite"
        raise BadInput(what, where=str(array_path), mend="train or export the vectors again")
    return EntityTable(ids, np.asarray(vectors, dtype=np.float32))


def entity_files(path: Path) -> tuple[Path, Path]:
    """Return the paths of the vectors and of the identifiers of a table of entity vectors.

    Args:
        path: the path of the table, as for `read_entity_table`.

    Raises:
        BadInput: one of the two files is missing.
    """
    array_path = path / f"{ENTITIES}.npy" if path.is_dir() else path
    if array_path.suffix != ".npy" or not array_path.is_file():
        raise BadInput("there are no vectors of entities here", where=str(path), mend=_FORM)
    ids_path = next((file for suffix in _IDS if (file := array_path.with_suffix(suffix)).is_file()), None)
    if ids_path is None:
        raise BadInput("these vectors of entities have no file of identifiers", where=str(array_path), mend=_FORM)
    return array_path, ids_path


def _read_ids(path: Path, vectors: int) -> tuple[str, ...]:
    rows = [line.split("\t") for line in read_raw(path).characters().splitlines()]
    column = rows[0].index("id") if rows and "id" in rows[0] else None
    if column is None and len(rows) == vectors + 1:
        what = f"column 'id' not found, and one line more than there are vectors ({vectors:,})"
        mend = "name the column of identifiers id, or give one line for each vector"
        raise BadInput(what, where=f"{path}, line 1", mend=mend)
    ids = [row[column or 0].strip() if len(row) > (column or 0) else "" for row in rows[column is not None :]]
    first = dict[str, int]()
    for number, identifier in enumerate(ids, start=1 + (column is not None)):
        if not identifier:
            raise BadInput("a line without an identifier", where=f"{path}, line {number}", mend="give one in each line")
        if identifier in first:
            what = f"{identifier!r:.60} stands here twice, first in line {first[identifier]}"
            raise BadInput(what, where=f"{path}, line {number}", mend="give each entity one vector")
        if not can_be_linked(identifier):
            mend = "give it another identifier, here and in the links"
            raise BadInput(
                f"{identifier!r:.60} has a character of links, [ ] or |", where=f"{path}, line {number}", mend=mend
            )
        first[identifier] = number
    return tuple(ids)
