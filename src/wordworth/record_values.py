"""The values of a record as JSON has them, and back: JSON has neither infinite nor undefined numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

_IN_ORDER = frozenset({"columns", "describe"})
"""The parts of a table whose names keep their order in a file."""
_INFINITE = {"inf": math.inf, "-inf": -math.inf}
"""Infinite numbers, as a file spells them."""


def plain(value: Any, *, ordered: bool = False) -> Any:  # noqa: ANN401 - JSON has any type
    """Return a value as JSON has it: dataclasses as objects, numpy as numbers; infinities as `"inf"`, NaN as None.

    The names of an object are sorted unless it is `ordered`, as the columns of a table are.
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
    """Return a number as a table holds it: a Python float, None for NaN and infinity."""
    return float(value) if math.isfinite(value) else None


def restored(value: Any) -> Any:  # noqa: ANN401 - JSON has any type
    """Return an infinite number of the text that stands for it in a file; any other value unchanged."""
    return _INFINITE.get(value, value) if isinstance(value, str) else value


def restored_column(column: list[Any]) -> list[Any]:
    """Return a table's column of a file with infinite numbers in place of the texts that stand for them.

    They are numbers where the column holds another number, or nothing but them.
    """
    numbers = any(map(_is_number, column)) or all(x is None or restored(x) is not x for x in column)
    return [restored(value) for value in column] if numbers else column


def frame_column(column: Sequence[Any]) -> list[Any]:
    """Return a table's column for a data frame: the same values and type whether it is in memory or was read.

    A column without any value is one of undefined numbers.
    """
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    written = plain(values)
    if values and all(value is None for value in written):
        return [math.nan] * len(values)
    return [restored(value) for value in written] if any(map(_is_number, values)) else written


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
