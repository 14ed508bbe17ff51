"""Tables that a Python caller holds in memory, read as a file is read: with the same checks, errors and hash.

A table becomes the content of a Parquet file of text cells that is never on the disk. The same rows thus give the same
record, whatever library holds them. Messages call it "the table", "the test table" and so on, or by the name that a
pandas table has in `attrs["name"]`.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from wordworth.errors import BadInput
from wordworth.json_file import HALF_A_PAIR
from wordworth.text.file_formats.parquet import cell_of, column_values
from wordworth.text.file_formats.table import check_names
from wordworth.text.read_compressed_file import RawFile, held_in_memory

TABLE = "the table"
"""The default name of a table in memory."""
_TWO = 2
_NOTHING = {"NAType", "NaTType"}
"""The types of pandas' missing values, which equal nothing, not even themselves; pandas need not be installed."""
_TAKEN = (
    'give a path, a pandas, polars or pyarrow table, a list of dicts such as [{"text": "…", "label": "…"}] (a pair '
    'of texts is "text_a" and "text_b"), or (texts, labels)'
)


class ArrowTable(Protocol):
    """An interface: a table of any library with Arrow's PyCapsule protocol, such as pandas, polars, pyarrow, duckdb."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a stream of Arrow record batches, in a capsule."""
        ...


TableSource: TypeAlias = (
    Path
    | str
    | ArrowTable
    | Mapping[str, Sequence[object]]
    | Sequence[Mapping[str, object]]
    | Sequence[str]
    | tuple[Sequence[str], Sequence[object]]
)
"""A table as an argument: a path, a table in memory, a dict of columns, a list of dicts (one a row), texts, or (texts,
labels)."""


@contextmanager
def as_file(source: TableSource, name: str = TABLE) -> Iterator[Path]:
    """Yield a path from which a table can be read, whether it is on the disk or in memory.

    The path of a table in memory is valid only inside the `with` statement.

    Args:
        source: a path, or a table in memory.
        name: the name of a table in memory that has no name of its own.

    Raises:
        BadInput: `source` is neither a path nor a table.
    """
    if isinstance(source, str) and not source.strip():
        raise BadInput("the path is empty", mend=_TAKEN)
    if isinstance(source, str | Path):
        yield Path(source)
        return
    with held_in_memory(_raw(source, _own_name(source) or name)) as path:
        yield path


@contextmanager
def as_files(*sources: TableSource | float | None, names: Sequence[str] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield a path for each table in memory, valid inside the `with` statement; other arguments stay as they are.

    Args:
        sources: paths, tables in memory, numbers, None.
        names: the name of each table in memory, for messages; "the table" for a table without a name.

    Raises:
        BadInput: a source is neither a path, a table, a number nor None.
    """
    with ExitStack() as stack:
        yield tuple(
            source
            if source is None or isinstance(source, str | Path | int | float)
            else stack.enter_context(as_file(source, name))
            for source, name in zip_longest(sources, names, fillvalue=TABLE)
        )


def _own_name(source: object) -> str | None:
    """Return the name that the caller gave a pandas table; None if there is no name."""
    attributes = getattr(source, "attrs", None)
    name = attributes.get("name") if isinstance(attributes, dict) else None
    return str(Path(name)) if isinstance(name, str) and name.strip() else None


def _raw(source: object, called: str) -> RawFile:
    """Return a table as a Parquet file of text cells; the hash depends on column names and cells alone."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = _columns(source)
    digest = hashlib.sha256()
    for name, cells in columns.items():
        digest.update(json.dumps([name, cells]).encode())
    try:
        table = pa.table({name: pa.array(cells, pa.large_string()) for name, cells in columns.items()})
    except UnicodeEncodeError as error:
        mend = "write both halves of the character, or the character itself"
        raise BadInput(HALF_A_PAIR, where=called, mend=mend) from error
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return RawFile(called, ".parquet", digest.hexdigest(), sink.getvalue())


def _columns(source: object) -> dict[str, list[str]]:
    """Return column name -> cells as text."""
    if len(getattr(source, "shape", (0, 0))) == 1:  # a column of texts: a pandas or polars series, a numpy array
        source = list(source)  # type: ignore[call-overload]  # it has a shape
    elif hasattr(source, "to_pylist") and not hasattr(source, "schema"):  # one of pyarrow
        source = source.to_pylist()
    if hasattr(source, "__arrow_c_stream__"):
        return _arrow_columns(source)
    if isinstance(source, Mapping):
        odd = next(
            (name for name, cells in source.items() if isinstance(cells, str) or not hasattr(cells, "__iter__")), None
        )
        if odd is not None:
            raise BadInput(f"column {odd!r} is {source[odd]!r:.60}, not a list of cells", mend=_TAKEN)
        return _of_columns({str(name): list(values) for name, values in source.items()})
    if (
        isinstance(source, tuple)
        and len(source) == _TWO
        and not any(isinstance(part, str | Mapping) for part in source)
    ):
        return _texts_and_labels(*source)
    if isinstance(source, list | tuple):
        return _of_items(source)
    lazy = hasattr(source, "collect")  # as polars' LazyFrame, whose rows are computed when asked for
    mend = "give what its .collect() returns" if lazy else _TAKEN
    raise BadInput(f"expected the path of a file or a table, got {type(source).__name__}", mend=mend)


def _arrow_columns(source: object) -> dict[str, list[str]]:
    import pyarrow as pa

    named: Iterable[object] = getattr(source, "column_names", getattr(source, "columns", ()))
    check_names([str(name) for name in named], TABLE)
    try:
        table = pa.table(_without_index(source))
    except (pa.ArrowException, TypeError, ValueError) as error:
        what = f"this {type(source).__name__} cannot be read as a table: {str(error).splitlines()[0]}"
        raise BadInput(what, mend=_TAKEN) from error
    return {name: _cells(column_values(table, name)) for name in table.column_names}


def _without_index(source: object) -> Any:  # noqa: ANN401 - a table of any library
    """Return a pandas table without its index, which Arrow would make a column; any other table as it is."""
    return source.reset_index(drop=True) if hasattr(source, "reset_index") else source


def _texts_and_labels(texts: Iterable[Any], labels: Iterable[Any]) -> dict[str, list[str]]:
    try:
        columns = {"text": list(texts), "label": list(labels)}
    except TypeError as error:
        raise BadInput(f"expected (texts, labels): {error}", mend=_TAKEN) from error
    return _of_columns(columns)


def _of_items(items: Sequence[Any]) -> dict[str, list[str]]:
    """Return column name -> cells, of rows that are dicts; if the items are texts, the only column is `text`."""
    if items and all(isinstance(item, Mapping) for item in items):
        names = dict.fromkeys(name for item in items for name in item)
        return {str(name): _cells(item.get(name) for item in items) for name in names}
    odd = next((row for row, item in enumerate(items) if not isinstance(_plain(item), str | None)), None)
    if odd is not None:
        what = f"row {odd} (the first is 0) is {items[odd]!r:.60} ({type(items[odd]).__name__}), not a dict or a text"
        raise BadInput(what, mend=_TAKEN)
    return {"text": _cells(items)}


def _of_columns(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        what = "columns differ in length: " + ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise BadInput(what, mend="give each row a cell in every column")
    return {name: _cells(values) for name, values in columns.items()}


def _cells(values: Iterable[Any]) -> list[str]:
    return [cell_of(_plain(value)) for value in values]


def _plain(value: Any) -> Any:  # noqa: ANN401 - a cell of any type
    """Return a cell as a Python value: numpy's values converted, missing values (NaN, pandas' NA, NaT) as None."""
    if type(value).__name__ in _NOTHING:
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple | set):
        value = list(value)
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124 - NaN alone differs from itself


def one_or_several(sources: TableSource | Sequence[TableSource]) -> Sequence[TableSource]:
    """Return one or several sources as a sequence: a single source becomes a list of one item.

    >>> one_or_several("wic"), one_or_several(["wic", "semcor"]), one_or_several([{"word": "bank"}])
    (['wic'], ['wic', 'semcor'], [[{'word': 'bank'}]])
    """
    if isinstance(sources, list | tuple) and not any(isinstance(each, Mapping) for each in sources):
        return sources
    return [sources]  # type: ignore[list-item]  # one source, as it is no list of sources
