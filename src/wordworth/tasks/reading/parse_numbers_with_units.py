"""Parse amounts as people write them: `9305.5`, `$9,305.50`, `9.305,50 €`, `1 200`, `12,5`, `40 %`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

_SIGNS = r"(?:US\$|R\$|[$€£¥₹₩₽₺₪₫฿₴₦%])"
_CODES = "(?:USD|EUR|GBP|JPY|CNY|RMB|CHF|INR|KRW|RUB|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|MXN|ZAR)"
_UNIT = re.compile(rf"^(?:{_SIGNS}|{_CODES}\b)?\s*(.*?)\s*(?:{_SIGNS}|\b{_CODES})?$", re.DOTALL)
"""A currency sign or code, or per cent, before or after the number; `#12` and `LAW 101` are names."""
_FEW_VALUES = 10
_SPACES = "\u0020\u00a0\u202f\u2009'\u2019"


@dataclass(frozen=True, slots=True)
class _Notation:
    """A way of writing numbers.

    Attributes:
        groups: the characters that may separate groups of thousands.
        point: the decimal mark.
    """

    groups: str
    point: str

    def number(self, cell: str) -> float | None:
        """Return the number in a cell from which the unit was removed; None if it is not written in this notation."""
        group, point = f"[{re.escape(self.groups)}]", re.escape(self.point)
        whole = rf"[+-]?(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{point}\d*)?|[+-]?{point}\d+"
        if not re.fullmatch(whole, cell):
            return None
        return float(re.sub(group, "", cell).replace(self.point, "."))


_NOTATIONS = (_Notation(f",{_SPACES}", "."), _Notation(f".{_SPACES}", ","))
"""The decimal point is tried first: `9,305` alone is nine thousand, unless the column also holds `12,5`."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The numbers of a column whose cells are amounts, such as prices, in order.

    Attributes:
        values: the numbers.
        surely: whether the numbers cannot be names of classes, because at least one number has a unit, or both
            separated thousands and a fraction.
        example: a cell that Python does not read as a number, and its value; None if Python reads all cells.
    """

    values: tuple[float, ...]
    surely: bool = False
    example: tuple[str, float] | None = None


def amounts(cells: Sequence[str]) -> Amounts | None:
    """Return the numbers in a column; None if some cell is not a number in the same notation as the other cells.

    >>> amounts(["$9,305.50", "$12"]).values
    (9305.5, 12.0)
    >>> amounts(["12,5", "9.305,50"]).values, amounts(["12,5", "3.2"])
    ((12.5, 9305.5), None)
    """
    plain = [_plain(cell) for cell in cells]
    if all(value is not None for value in plain):
        return Amounts(tuple(value for value in plain if value is not None))
    bare = [_UNIT.sub(r"\1", cell.strip()) for cell in cells]
    for notation in _NOTATIONS:
        values = [notation.number(cell) for cell in bare]
        numbers = tuple(value for value in values if value is not None)
        if len(numbers) == len(cells):
            written = [
                (cell, value) for cell, value, parsed in zip(cells, numbers, plain, strict=True) if parsed is None
            ]
            return Amounts(numbers, _surely(cells, bare), written[0])
    return None


def are_amounts(cells: Sequence[str]) -> bool:
    """Return whether cells are amounts (labels of regression), not names of classes.

    Cells are amounts if more than ten of their numbers differ, and some number has a fraction that Python reads, a
    unit, or both separated thousands and a fraction. Empty cells are ignored.
    """
    parsed = amounts([cell for cell in cells if cell])
    if parsed is None or len(set(parsed.values)) <= _FEW_VALUES:
        return False
    return parsed.surely or (parsed.example is None and any(value % 1 for value in parsed.values))


def first_in_another_notation(cells: Sequence[str]) -> int:
    """Return the index of the first cell whose number does not fit the notation of the cells before it.

    Args:
        cells: the cells of a column for which `amounts` returns None.

    >>> first_in_another_notation(["1", "12,5", "9.305,50", "3.2"])
    3
    """
    return bisect_left(range(len(cells)), True, key=lambda last: amounts(cells[: last + 1]) is None)


def _surely(cells: Sequence[str], bare: Sequence[str]) -> bool:
    return any(
        len(number) < len(cell.strip()) or len(set(number) & set(".," + _SPACES)) > 1
        for cell, number in zip(cells, bare, strict=True)
    )


def _plain(cell: str) -> float | None:
    """Return the number that Python reads in a cell, infinities and NaN included; None if there is no such number."""
    try:
        return float(cell)
    except ValueError:
        return None
