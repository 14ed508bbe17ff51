"""JSON Lines: an object on each line, its keys are the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.raw_file import RawFile
from wordworth.text.tables.table import TextTable

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def read_jsonl(stored: RawFile) -> TextTable:
    """The table of a `.jsonl` (`.ndjson`, `.json`). Numbers stay as written; null and a missing key become "".

    Raises:
        BadInput: not UTF-8, a line that is not a JSON object, or half of a surrogate pair; names the line.
    """
    line_numbers, objects = [], []
    for line, value in _objects(stored):
        line_numbers.append(line)
        objects.append(value)
    names = dict.fromkeys(name for value in objects for name in value)
    columns = {name: [cell(value.get(name)) for value in objects] for name in names}
    return TextTable(columns, stored.path, stored.sha256, line_numbers)


def cell(value: Any) -> str:  # noqa: ANN401 - JSON has any type
    """A JSON value as a cell: text as it is, arrays and objects as JSON, null as "".

    >>> cell("a"), cell(None), cell(True), cell(["x", "y"])
    ('a', '', 'true', '["x", "y"]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _objects(stored: RawFile) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(stored.text().split("\n"), start=1):
        if line.strip():
            yield number, json_object(line, f"{stored.path}, line {number}")


def json_object(line: str, where: str) -> dict[str, Any]:
    """The object on one line, its numbers as they are written.

    Raises:
        BadInput: the line holds something else, or half of a surrogate pair.
    """
    try:
        value = parse_json(line.strip(" \t\r"), _DECODER)
    except UnicodeEncodeError as error:
        mend = "write both halves of the character, or the character itself"
        raise BadInput("half of a surrogate pair (\\ud800 to \\udfff)", where=where, mend=mend) from error
    except ValueError as error:
        raise BadInput(
            f"this line is not JSON: {error}", where=where, mend="write one whole object on each line"
        ) from error
    if isinstance(value, dict):
        return value
    mend = 'write one object on each line, such as {"text": "…", "label": "…"} (jq -c ".[]" turns an array into lines)'
    raise BadInput(f"this line holds {_kind(value)}, not an object", where=where, mend=mend)


def _kind(value: object) -> str:
    return "an array" if isinstance(value, list) else "a single value"
