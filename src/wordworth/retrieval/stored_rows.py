"""`StoredRows`: the texts of an index with their other columns; every cell is text.

Each segment, a set of rows that were added together, has one Parquet file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.measures.weighted_sums import Integers
from wordworth.retrieval.manifest import Manifest
from wordworth.retrieval.stored_vectors import damaged
from wordworth.text.file_formats.read import iterate_rows, iterate_texts, require_format

ROWS = "rows.parquet"
_GROUP = 4_096
"""Most rows of a Parquet row group, which is read whole to get one of its rows."""
_CHARACTERS = 1 << 24
"""Number of characters after which no further row is added to a row group."""


def write_rows(folder: Path, source: Path, text: str) -> None:
    """Write all columns of a file of texts to the Parquet file of a segment.

    A segment is a set of rows that are added to an index together. Rows are written while the file is read.

    Args:
        folder: the segment's folder.
        source: the file.
        text: the column of texts.

    Raises:
        BadInput: the file cannot be read.
    """
    import pyarrow as pa
    from pyarrow import parquet

    groups = _groups(_rows(source, text))
    first = next(groups)
    schema = pa.schema([(name, pa.large_string()) for name in first[0]])
    with parquet.ParquetWriter(folder / ROWS, schema, compression="zstd") as writer:
        for group in chain([first], groups):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def _groups(rows: Iterable[Mapping[str, str]]) -> Iterator[list[dict[str, str]]]:
    """Yield consecutive rows in groups, each of a limited number of rows and characters."""
    group: list[dict[str, str]] = []
    characters = 0
    for row in rows:
        group.append(dict(row))
        characters += sum(map(len, row.values()))
        if len(group) == _GROUP or characters > _CHARACTERS:
            yield group
            group, characters = [], 0
    if group:
        yield group


def _rows(source: Path, text: str) -> Iterator[Mapping[str, str]]:
    if require_format(source).named:
        yield from (cells for _, cells in iterate_rows(source))
    else:
        yield from ({text: line} for _, line in iterate_texts(source))


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The rows of an index, numbered from 0 through its segments, the sets of rows that were added together.

    Attributes:
        folder: folder of the index.
        manifest: description of the index, which names its segments.
    """

    folder: Path
    manifest: Manifest

    @property
    def paths(self) -> list[Path]:
        """Path of each segment's Parquet file."""
        return [self.folder / segment.name / ROWS for segment in self.manifest.segments]

    def columns(self) -> list[str]:
        """Return the names of all columns of the index, in the order in which they were first added with rows.

        Raises:
            BadInput: a file is damaged.
        """
        names: dict[str, None] = {}
        for path in self.paths:
            with _opened(path) as file:
                names |= dict.fromkeys(file.schema_arrow.names)
        return list(names)

    def column(self, name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return a column of all rows in order, as a pyarrow chunked array of strings.

        A row that was added from a file without this column has "".

        Raises:
            NotFound: no row was added with this column.
            BadInput: a file is damaged.
        """
        import pyarrow as pa

        if name not in (known := self.columns()):
            raise NotFound(f"column {name!r} not found", where=str(self.folder), mend=nearest(name, known))
        chunks = []
        for path, segment in zip(self.paths, self.manifest.segments, strict=True):
            with _opened(path) as file:
                if name in file.schema_arrow.names:
                    chunks += file.read(columns=[name]).column(0).chunks
                else:
                    chunks.append(pa.array([""] * segment.rows, pa.large_string()))
        return pa.chunked_array(chunks, pa.large_string())

    def take(self, numbers: Integers, columns: Sequence[str] | None = None) -> list[dict[str, str]]:
        """Return some rows as dicts of column -> cell, in the order of `numbers`.

        Only the row groups of the Parquet files that hold the wanted rows are read.

        Args:
            numbers: row numbers in the index, from 0 through all segments, in any order, int64 [n].
            columns: the columns to read; None for all.

        Raises:
            BadInput: a file is damaged.
        """
        names = self.columns() if columns is None else list(columns)
        rows: dict[int, dict[str, str]] = {}
        start = 0
        for path, segment in zip(self.paths, self.manifest.segments, strict=True):
            wanted = np.unique(numbers[(numbers >= start) & (numbers < start + segment.rows)]) - start
            if len(wanted):
                cells = _taken(path, wanted, names)
                rows |= {start + int(row): cell for row, cell in zip(wanted, cells, strict=True)}
            start += segment.rows
        blank = dict.fromkeys(names, "")
        return [blank | rows[int(number)] for number in numbers]

    def texts(self) -> Iterator[str]:
        """Yield the text of every row in order.

        Raises:
            BadInput: a file is damaged.
        """
        for path in self.paths:
            with _opened(path) as file:
                for batch in file.iter_batches(batch_size=_GROUP, columns=[self.manifest.text]):
                    yield from batch.column(0).to_pylist()


def _taken(path: Path, rows: Integers, names: Sequence[str]) -> list[dict[str, str]]:
    """Return the cells of some rows of a segment's Parquet file, a dict of column -> cell for each.

    Args:
        path: the file.
        rows: int64 [n], row numbers in the segment, from 0, ascending.
        names: the columns to read; a column that the file lacks is left out.
    """
    taken: list[dict[str, str]] = []
    with _opened(path) as file:
        present = [name for name in names if name in file.schema_arrow.names]
        if not present:
            return [{} for _ in rows]
        groups = np.searchsorted(_group_ends(file), rows, side="right")
        starts = np.concatenate([[0], _group_ends(file)])
        for group in np.unique(groups):
            within = rows[groups == group] - starts[group]
            taken += file.read_row_group(int(group), columns=present).take(within).to_pylist()
    return taken


def _group_ends(file: Any) -> Integers:  # noqa: ANN401 - pyarrow has no types
    metadata = file.metadata
    return np.cumsum([metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)], dtype=np.int64)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a segment's Parquet file inside the `with` block; an error in reading it becomes a `BadInput`."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, memory_map=True) as file:
            yield file
    except BadInput:
        raise
    except (pa.ArrowException, OSError) as error:
        raise damaged(path) from error
