"""Parquet files, through pyarrow."""

from __future__ import annotations

import datetime as dt
import io
import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.file_formats.base import ColumnType, FileFormat, Row, require_columns
from wordworth.text.file_formats.jsonl import Number, cell
from wordworth.text.file_formats.table import TextTable, check_names
from wordworth.text.read_compressed_file import COMPRESSIONS, RawFile, in_memory, read_raw

_MOST_UNPACKED = 4 * 2**30
_BATCH = 4_096
_EXACT = 2.0**53
"""Whole floats below this size are exact and are written without a fraction; larger floats keep their exponent."""
_MOST_ROWS, _MOST_BYTES = 256, 1 << 24
"""Maximal number of rows, and of bytes on average, of one streamed batch: a single row may be a whole book."""
_PERIOD = "pandas.period"


def _table(raw: RawFile) -> TextTable:
    """Return the table of a `.parquet`: numbers as Python writes them, lists as JSON, null as ""."""
    with _damage(raw.path):
        from pyarrow import parquet

        file = parquet.ParquetFile(io.BytesIO(raw.data))
        names = list(file.schema_arrow.names)
        check_names(names, raw.path)
        columns: dict[str, list[str]] = {name: [] for name in names}
        unpacked_bytes = 0
        for batch in file.iter_batches(batch_size=_BATCH):
            unpacked_bytes += batch.nbytes
            if unpacked_bytes > _MOST_UNPACKED:
                mend = "split it, or keep only the columns that are needed"
                raise BadInput(f"unpacks to more than {_MOST_UNPACKED:,} bytes", where=raw.path, mend=mend)
            for name in names:
                columns[name] += _cells(batch, name)
        return TextTable(columns, raw.path, raw.sha256, range(1, file.metadata.num_rows + 1), unit="row")


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
    whole = path.suffix.lower() in COMPRESSIONS or in_memory(path) is not None
    with _damage(str(path)):
        from pyarrow import parquet

        with parquet.ParquetFile(io.BytesIO(read_raw(path).data) if whole else path) as file:
            names = list(file.schema_arrow.names)
            check_names(names, str(path))
            require_columns(columns or (), names, str(path))
            wanted, before = list(dict.fromkeys(columns or names)), 0
            for batch in file.iter_batches(batch_size=_rows_at_once(file.metadata), columns=wanted):
                cells = {name: _cells(batch, name) for name in wanted}
                for row in range(len(batch)):
                    yield before + row + 1, {name: values[row] for name, values in cells.items()}
                before += len(batch)


@contextmanager
def _damage(path: str) -> Iterator[None]:
    """Raise errors of pyarrow, and of pandas inside pyarrow, as a BadInput that names the file."""
    import pyarrow as pa

    try:
        yield
    except BadInput:
        raise
    except (pa.ArrowException, OSError) as error:
        what = f"this is not a whole Parquet file: {str(error).splitlines()[0]}"
        raise BadInput(what, where=path, mend="write or fetch it again") from error
    except UnicodeDecodeError as error:
        raise BadInput("a text is not UTF-8", where=path, mend="write the column as UTF-8 strings") from error
    except (LookupError, TypeError, ValueError) as error:  # of pandas, which reads the types of its own columns
        mend = "write its columns of periods and intervals as text: column.astype(str)"
        raise BadInput("the types of its columns cannot be read", where=path, mend=mend) from error


def _rows_at_once(metadata: Any) -> int:  # noqa: ANN401 - pyarrow has no types
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    each: int = sum(group.total_byte_size for group in groups) // max(1, metadata.num_rows)
    return max(1, min(_MOST_ROWS, _MOST_BYTES // max(1, each)))


def _cells(batch: Any, name: str) -> list[str]:  # noqa: ANN401 - pyarrow has no types
    column, values = batch.column(name), column_values(batch, name)
    whole = str(column.type) in {"string", "large_string"} and not column.null_count
    return values if whole else [cell_of(value) for value in values]


def column_values(table: Any, name: str) -> list[Any]:  # noqa: ANN401 - pyarrow has no types
    """Return the values of a column of an Arrow table.

    A pandas Period, which Arrow stores as a number, becomes text (`2024-03`).

    Args:
        table: a table or batch of pyarrow.
        name: the column.

    Raises:
        BadInput: the metadata of a column of periods is damaged.
    """
    values = list(table.column(name).to_pylist())
    try:
        frequency = _frequency(table.schema.field(name))
        return values if frequency is None else _periods(values, frequency)
    except (LookupError, TypeError, ValueError) as error:
        what = f"the periods of column {name!r:.60} cannot be read"
        raise BadInput(what, mend="write them as text: column.astype(str)") from error


def _periods(values: list[Any], frequency: str) -> list[str | None]:
    from pandas import Period

    return [None if value is None else str(Period(ordinal=value, freq=frequency)) for value in values]


def _frequency(field: Any) -> str | None:  # noqa: ANN401 - pyarrow has no types
    """Return the frequency of an Arrow column of pandas' periods, even without pandas; None for other columns."""
    if getattr(field.type, "extension_name", "") == _PERIOD:
        return str(field.type.freq)
    metadata = field.metadata or {}
    if metadata.get(b"ARROW:extension:name") != _PERIOD.encode():
        return None
    return str(parse_json(metadata[b"ARROW:extension:metadata"])["freq"])


def cell_of(value: Any) -> str:  # noqa: ANN401 - a value of any type
    """Return a value as a cell of text: numbers as Python writes them, lists and objects as JSON, null as "".

    Whole numbers are written without a fraction even if they are floats, since pandas turns integers with a missing
    value into floats.
    """
    if isinstance(value, list):
        return cell([_item(item) for item in value])
    if value is None or isinstance(value, str | bool):
        return cell(value)
    if isinstance(value, dict):
        return cell({name: _item(item) for name, item in value.items()})
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _item(value: Any) -> Any:  # noqa: ANN401 - a value of any type
    """Return a value inside a list or an object in the form in which `cell` writes it as JSON."""
    if isinstance(value, list):
        return [_item(item) for item in value]
    if isinstance(value, dict):
        return {name: _item(item) for name, item in value.items()}
    if value is None or isinstance(value, bool):
        return value
    is_number = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    return Number(cell_of(value)) if is_number else cell_of(value)


def _write(path: Path, rows: Iterator[Mapping[str, Any]], columns: Mapping[str, ColumnType]) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    types = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    types |= {"texts": pa.list_(pa.string()), "numbers": pa.list_(pa.float64())}
    schema, written = pa.schema([(name, types[kind]) for name, kind in columns.items()]), 0
    with parquet.ParquetWriter(path, schema) as writer:
        while block := list(islice(rows, _BATCH)):
            writer.write_table(pa.Table.from_pylist(block, schema=schema))
            written += len(block)
    return written


PARQUET = FileFormat(suffixes=(".parquet", ".pq"), rows=_rows, table=_table, write=_write, unit="row", corpus=True)
