"""JSON Lines: an object on each line, its keys are the columns."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.file_formats.base import ColumnType, FileFormat, Line, Row, require_columns, table_of_rows
from wordworth.text.file_formats.table import TextTable
from wordworth.text.raw_file import RawFile, lines

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def json_objects(numbered: Iterable[Line], path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object on each line that is not blank, its numbers as they are written.

    Raises:
        BadInput: a line holds something else, or half of a surrogate pair; names the line.
    """
    for number, line in numbered:
        if line.strip():
            yield number, _object(line, path, number)


def cell(value: Any) -> str:  # noqa: ANN401 - JSON has any type
    """A JSON value as a cell: text as it is, arrays and objects as JSON, null as "".

    >>> cell("a"), cell(None), cell(True), cell(["x", "y"])
    ('a', '', 'true', '["x", "y"]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
    wanted = set(columns or ())
    for number, values in json_objects(lines(path), str(path)):
        if not wanted <= values.keys():
            require_columns(wanted, values, f"{path}, line {number}")
        yield number, {name: cell(values[name]) for name in columns or values}


def _table(raw: RawFile) -> TextTable:
    objects = json_objects(enumerate(raw.text().split("\n"), start=1), raw.path)
    rows = ((number, {name: cell(value) for name, value in values.items()}) for number, values in objects)
    return table_of_rows(raw, rows)


def _write(path: Path, rows: Iterator[Mapping[str, Any]], columns: Mapping[str, ColumnType]) -> int:  # noqa: ARG001 - a Write
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _object(line: str, path: str, number: int) -> dict[str, Any]:
    try:
        value = parse_json(line.strip(" \t\r"), _DECODER)
    except UnicodeEncodeError as error:
        what = "half of a surrogate pair (\\ud800 to \\udfff)"
        mend = "write both halves of the character, or the character itself"
        raise BadInput(what, where=f"{path}, line {number}", mend=mend) from error
    except ValueError as error:
        what = f"this line is not JSON: {error}"
        raise BadInput(what, where=f"{path}, line {number}", mend="write one whole object on each line") from error
    if isinstance(value, dict):
        return value
    kind = "an array" if isinstance(value, list) else "a single value"
    mend = 'write one object on each line, such as {"text": "…", "label": "…"} (jq -c ".[]" turns an array into lines)'
    raise BadInput(f"this line holds {kind}, not an object", where=f"{path}, line {number}", mend=mend)


JSONL = FileFormat(
    suffixes=(".jsonl", ".ndjson", ".json"),
    rows=_rows,
    table=_table,
    write=_write,
    ragged=True,
    nested=True,
    corpus=True,
)
