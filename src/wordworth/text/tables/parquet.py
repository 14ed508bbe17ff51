"""Read Parquet files, through pyarrow."""

from __future__ import annotations

import datetime as dt
import io
from typing import Any

from wordworth.errors import BadInput
from wordworth.text.raw_file import RawFile
from wordworth.text.tables.jsonl import cell
from wordworth.text.tables.table import TextTable, check_names

_MOST_BYTES = 4 * 2**30
_BATCH = 4_096


def read_parquet(stored: RawFile) -> TextTable:
    """The table of a `.parquet`: numbers as Python writes them, lists as JSON, null as "".

    Raises:
        BadInput: not a whole Parquet file, two columns with the same name, text that is not UTF-8, or over 4 GiB
            unpacked.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(io.BytesIO(stored.data))
        names = list(file.schema_arrow.names)
        check_names(names, stored.path)
        columns: dict[str, list[str]] = {name: [] for name in names}
        unpacked_bytes = 0
        for batch in file.iter_batches(batch_size=_BATCH):
            unpacked_bytes += batch.nbytes
            if unpacked_bytes > _MOST_BYTES:
                mend = "split it, or keep only the columns that are needed"
                raise BadInput(f"unpacks to more than {_MOST_BYTES:,} bytes", where=stored.path, mend=mend)
            for name, values in zip(names, batch.columns, strict=True):
                columns[name] += [_cell(value) for value in values.to_pylist()]
    except (pa.ArrowException, OSError) as error:
        what = f"this is not a whole Parquet file: {str(error).splitlines()[0]}"
        raise BadInput(what, where=stored.path, mend="write or fetch it again") from error
    except UnicodeDecodeError as error:
        raise BadInput("a text is not UTF-8", where=stored.path, mend="write the column as UTF-8 strings") from error
    rows = file.metadata.num_rows
    return TextTable(columns, stored.path, stored.sha256, range(1, rows + 1), unit="row")


def _cell(value: Any) -> str:  # noqa: ANN401 - a Parquet value of any type
    if isinstance(value, list):
        return cell([_cell(item) for item in value])
    if value is None or isinstance(value, str | bool):
        return cell(value)
    if isinstance(value, dict):
        return cell({name: _cell(item) for name, item in value.items()})
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
