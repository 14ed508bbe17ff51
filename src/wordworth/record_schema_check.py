"""`require_shape`: check that a parsed record file has all fields with the right types, and only finite numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import chain
from types import UnionType
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import require_fields

_FIELDS = {
    "kind": str,
    "version": int,
    "settings": dict,
    "data": dict,
    "tables": dict,
    "findings": list,
    "timings": dict,
    "environment": dict,
}
_TABLE: Mapping[str, type | UnionType] = {"columns": dict, "describe": dict}
_FINDING: Mapping[str, type | UnionType] = {"name": str, "text": str, "numbers": dict}


def require_shape(data: Mapping[str, Any], where: str, mend: str) -> None:
    """Check that a parsed record file has the fields of a record, with the right types, whatever the record's kind.

    Args:
        data: the parsed file.
        where: the file, for the error.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: a field is missing or of another type, a table's columns differ in length, or a number is infinite
            or too large for a float; the error says which.
    """
    try:
        _require_fields(data)
        _require_numbers(data)
    except BadInput as error:
        raise BadInput(f"this record is damaged: {error}", where=where, mend=mend) from error


def _require_fields(data: Mapping[str, Any]) -> None:
    _require_object("the record", data, _FIELDS)
    for name, table in data["tables"].items():
        _require_object(f"table {name!r}", table, _TABLE)
        _require_columns(name, table["columns"])
    for position, finding in enumerate(data["findings"]):
        _require_object(f"finding {position + 1}", finding, _FINDING)


def _require_object(what: str, value: object, kinds: Mapping[str, type | UnionType]) -> None:
    if not isinstance(value, dict):
        raise BadInput(f"{what} is {value!r:.60}")
    try:
        require_fields(value, kinds, "", "")
    except BadInput as error:
        raise BadInput(f"{what}: {error.what.partition(': ')[2]}") from error


def _require_columns(table: str, columns: Mapping[str, object]) -> None:
    not_a_list = next((name for name, column in columns.items() if not isinstance(column, list)), None)
    if not_a_list is not None:
        raise BadInput(f"column {not_a_list!r:.60} of table {table!r:.60} is {columns[not_a_list]!r:.60}")
    lengths = {name: len(column) for name, column in columns.items() if isinstance(column, list)}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name!r:.60} has {length}" for name, length in lengths.items())
        raise BadInput(f"columns of table {table!r:.60} are of unequal length: {counts:.200}")


def has_equal_columns(columns: object) -> bool:
    """Return whether a parsed value can be a table's columns: a dict of lists of equal length."""
    if not isinstance(columns, dict) or not all(isinstance(column, list) for column in columns.values()):
        return False
    return len({len(column) for column in columns.values()}) <= 1


def _require_numbers(data: Mapping[str, Any]) -> None:
    """Check that every number fits a float; infinities are written as text."""
    for value in _leaves(data):
        if isinstance(value, int | float) and not _fits(value):
            raise BadInput(f"it holds a number that is infinite or too large ({_short(value)})")


def _fits(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond any float
        return False


def _short(value: float) -> str:
    return f"{value}" if isinstance(value, float) else f"an integer of {value.bit_length():,} bits"


def _leaves(value: object) -> Iterator[object]:
    """Yield the values of a JSON value that are neither arrays nor objects."""
    if isinstance(value, dict):
        return chain.from_iterable(map(_leaves, value.values()))
    return chain.from_iterable(map(_leaves, value)) if isinstance(value, list) else iter((value,))
