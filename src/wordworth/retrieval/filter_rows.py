"""`passing`: the rows of an index that meet a condition on columns; `condition_parser` has the grammar."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags
from wordworth.retrieval.condition_parser import NUMBER, Value, parse

Column = Callable[[str], Any]
"""A function from the name of a column to its cells, Arrow strings of all rows; it raises `NotFound` without one."""
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def passing(condition: str, column: Column) -> Flags:
    """Return a mask of the rows that meet a condition, bool [rows].

    Args:
        condition: the condition.
        column: function from the name of a column to its cells, one for each row.

    Raises:
        BadInput: the condition cannot be parsed; the error says at which token.
        NotFound: the condition names a column that does not exist.
    """
    return parse(condition, _Masks(column))


@dataclass(frozen=True, slots=True)
class _Masks:
    """The `Evaluator` that translates a condition into a mask of the rows that meet it, bool [rows]."""

    column: Column

    def among(self, column: str, values: Sequence[Value]) -> Flags:
        import pyarrow as pa
        import pyarrow.compute as pc

        cells = self.column(column)
        texts = [value for value in values if isinstance(value, str)]
        rows = _flags(pc.is_in(cells, value_set=pa.array(texts, pa.large_string())))
        numbers = [value for value in values if not isinstance(value, str)]
        return rows | np.isin(_numbers(cells), numbers) if numbers else rows

    def compared(self, column: str, sign: str, value: Value) -> Flags:
        cells = self.column(column)
        if not isinstance(value, str):
            with np.errstate(invalid="ignore"):  # NaN stands for a cell that is no number, and passes nothing
                compared: Flags = _COMPARE[sign](_numbers(cells), value)
            return compared
        import pyarrow.compute as pc

        functions = {"<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}
        return _flags(functions[sign](cells, _scalar(value)))

    def like(self, column: str, pattern: str) -> Flags:
        import pyarrow.compute as pc

        return _flags(pc.match_like(self.column(column), pattern))

    def negated(self, condition: Flags) -> Flags:
        return ~condition

    def both(self, first: Flags, second: Flags) -> Flags:
        return first & second

    def either(self, first: Flags, second: Flags) -> Flags:
        return first | second


def _numbers(cells: Any) -> np.ndarray:  # noqa: ANN401 - pyarrow has no types
    """Return cells as numbers, float64 [rows]; NaN for a cell that is not a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_number = pc.match_substring_regex(cells, pattern=NUMBER)
    plain = pc.utf8_trim_whitespace(pc.if_else(is_number, cells, pa.scalar(None, pa.large_string())))
    return np.asarray(pc.cast(plain, pa.float64()).to_numpy(), dtype=np.float64)


def _scalar(text: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    return pa.scalar(text, pa.large_string())


def _flags(rows: Any) -> Flags:  # noqa: ANN401 - pyarrow has no types
    return np.asarray(rows.to_numpy(), dtype=bool)
