"""JSON Lines: an object on each line, whose keys are the columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import HALF_A_PAIR, parse_json
from wordworth.text.file_formats.base import ColumnType, FileFormat, Line, Row


class Number(str):
    """A number of a JSON text, as the text spells it."""

    __slots__ = ()


def _constant(name: str) -> str | None:
    """Return None for `NaN`, by which programs write a missing value; return the name of an infinity unchanged."""
    return None if name == "NaN" else name


_DECODER = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=_constant)


def json_objects(numbered: Iterable[Line], path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) of each line of a JSON Lines file, except blank lines.

    Numbers are kept as the file spells them, and NaN is null.

    Args:
        numbered: (line number, line).
        path: the file, for the error message.

    Raises:
        BadInput: a line is not a JSON object, or holds half of a surrogate pair; the error names the line.
    """
    for number, line in numbered:
        if line.strip():
            yield number, _object(line, path, number)


def cell(value: Any) -> str:  # noqa: ANN401 - JSON has any type
    """Return a JSON value as a cell: text as it is, arrays and objects as JSON, null as "".

    >>> cell("a"), cell(None), cell(True), cell(["x", Number("2.50")])
    ('a', '', 'true', '["x", 2.50]')
    """
    if isinstance(value, str):
        return str(value)
    return "" if value is None else _json(value)


def parse_cell(text: str) -> Any:  # noqa: ANN401 - JSON has any type
    """Parse a cell that holds JSON; its numbers become `Number`.

    Raises:
        ValueError: the cell does not hold JSON.
    """
    return parse_json(text, _DECODER)


def _json(value: Any) -> str:  # noqa: ANN401 - JSON has any type
    """Return a value as JSON text, with numbers as they were spelt."""
    match value:
        case Number():
            return str(value)
        case list() if any(isinstance(item, Number | list | dict) for item in value):
            return f"[{', '.join(map(_json, value))}]"
        case dict():
            pairs = (f"{json.dumps(name, ensure_ascii=False)}: {_json(item)}" for name, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _rows(numbered: Iterable[Line], path: str) -> Iterator[Row]:
    for number, values in json_objects(numbered, path):
        yield number, {name: cell(value) for name, value in values.items()}


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
        mend = "write both halves of the character, or the character itself"
        raise BadInput(HALF_A_PAIR, where=f"{path}, line {number}", mend=mend) from error
    except ValueError as error:
        what = f"this line is not JSON: {error}"
        raise BadInput(what, where=f"{path}, line {number}", mend="write one whole object on each line") from error
    if isinstance(value, dict):
        return value
    kind = "an array" if isinstance(value, list) else "a single value"
    mend = 'write one object on each line, such as {"text": "…", "label": "…"} (jq -c ".[]" turns an array into lines)'
    raise BadInput(f"this line holds {kind}, not an object", where=f"{path}, line {number}", mend=mend)


JSONL = FileFormat.of_lines((".jsonl", ".ndjson", ".json"), _rows, write=_write, nested=True, corpus=True)
