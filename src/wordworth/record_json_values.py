"""Convert the values of a record to JSON and back: JSON has no infinite numbers and no NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

_IN_ORDER = frozenset({"columns", "describe"})
"""The fields of a `Table` whose names are written in their own order, not sorted."""
_INFINITE = {"inf": math.inf, "-inf": -math.inf}
"""The string that a record file has for an infinite number -> the number."""


def plain(value: Any, *, ordered: bool = False) -> Any:  # noqa: ANN401 - JSON has any type
    """Return a value in the types of JSON, such as dicts, lists and numbers.

    Dataclasses become dicts, numpy arrays lists, infinite numbers the strings `"inf"` and `"-inf"`, NaN None, and
    objects of other types their `str`.

    Args:
        value: the value; a dict, list or dataclass may hold further values.
        ordered: whether the names of dicts keep their order (for the columns of a table) instead of being sorted.
    """
    if hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        names = value if ordered else sorted(value, key=str)
        return {str(name): plain(value[name], ordered=name in _IN_ORDER) for name in names}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def finite_or_none(value: float) -> float | None:
    """Return a finite number as a Python float, and None in place of NaN or infinity."""
    return float(value) if math.isfinite(value) else None


def restored(value: Any) -> Any:  # noqa: ANN401 - JSON has any type
    """Return infinity for the strings `"inf"` and `"-inf"` of a record's file, and any other value unchanged."""
    return _INFINITE.get(value, value) if isinstance(value, str) else value


def restored_column(column: list[Any]) -> list[Any]:
    """Return a table's column as read from a file, with its strings `"inf"` and `"-inf"` turned into numbers.

    The strings are turned into numbers if the column also holds a number, or holds only these strings and None. A
    column of texts is returned unchanged.
    """
    numbers = any(map(_is_number, column)) or all(x is None or restored(x) is not x for x in column)
    return [restored(value) for value in column] if numbers else column


def frame_column(column: Sequence[Any]) -> list[Any]:
    """Return a table's column for a pandas data frame.

    The values and types are the same whether the record was just made or was read from a file. A column in which every
    value is None becomes a column of NaN.
    """
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    written = plain(values)
    if values and all(value is None for value in written):
        return [math.nan] * len(values)
    return [restored(value) for value in written] if any(map(_is_number, values)) else written


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
