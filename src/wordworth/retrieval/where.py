"""Conditions on columns such as `lang = 'en' AND year >= 2020`: parse one and return the rows that meet it.

    condition   column = 'text' | column >= 2020 | column IN ('a', 'b') | column LIKE 'a%'
    together    AND, OR, NOT, (…)
    column      a name of letters, digits and _, or any name in double quotes: "my column"
    text        in single quotes, a quote in it is doubled: 'it''s'

The operators are = (or ==), != (or <>), <, <=, >, >=, IN, NOT IN, LIKE and NOT LIKE. A comparison with a number reads
the cell as a number; if the cell is not a number, != and NOT IN are true and the other operators false. A comparison
with a text compares characters. In LIKE, % stands for any characters and _ for one. An empty cell is the text ''. There
is no null: each row meets either a condition or its NOT.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags

Column = Callable[[str], Any]
"""A function from the name of a column to its cells, Arrow strings of all rows; it raises `NotFound` without one."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<quoted>"(?:[^"]|"")*")|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?!\w)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<sign><=|>=|!=|<>|==|[=<>(),]))"""
)
_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"
_WORDS = {"and", "or", "not", "in", "like"}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUAL = {"=": "=", "==": "=", "!=": "!=", "<>": "!="}
_EXAMPLE = "write a condition such as lang = 'en' AND year >= 2020, texts in single quotes"
_MOST_LEVELS = 100


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a condition: its kind, its text, and the index of its first character.

    Kinds are `text`, `quoted`, `number`, `name`, `sign`, `word` (AND, OR, NOT, IN, LIKE) and `end`.
    """

    kind: str
    text: str
    start: int


def passing(condition: str, column: Column) -> Flags:
    """Return a mask of the rows that meet a condition, bool [rows].

    Args:
        condition: the condition.
        column: returns the cells of a column.

    Raises:
        BadInput: the condition cannot be parsed; the error says at which token.
        NotFound: the condition names a column that does not exist.
    """
    return _Parser(condition, column).whole()


def _tokens(condition: str) -> list[_Token]:
    tokens, start = [], 0
    while condition[start:].strip():
        match = _TOKEN.match(condition, start)
        if match is None:
            raise _unreadable(condition, len(condition) - len(condition[start:].lstrip()))
        kind = str(match.lastgroup)
        text = match[kind]
        if kind == "name" and text.lower() in _WORDS:
            kind, text = "word", text.lower()
        tokens.append(_Token(kind, text, match.start(match.lastgroup or 0)))
        start = match.end()
    return [*tokens, _Token("end", "the end", len(condition))]


def _unreadable(condition: str, start: int, wanted: str = "") -> BadInput:
    position = f"at {condition[start : start + 20]!r}" if condition[start:].strip() else "at its end"
    what = f"cannot read this condition {position}" + (f", where {wanted} is wanted" if wanted else "")
    return BadInput(what, where=f"--where {condition!r:.200}", mend=_EXAMPLE)


@dataclass(slots=True)
class _Parser:
    """A recursive descent parser, with a method for each level of the grammar, which evaluates while it parses."""

    condition: str
    column: Column
    tokens: list[_Token] = field(init=False)
    next: int = 0
    level: int = 0

    def __post_init__(self) -> None:
        self.tokens = _tokens(self.condition)

    def whole(self) -> Flags:
        rows = self._any()
        if self.tokens[self.next].kind != "end":
            raise self._wanted("AND, OR or the end")
        return rows

    def _any(self) -> Flags:
        rows = self._all()
        while self._taken("word", "or"):
            rows = rows | self._all()
        return rows

    def _all(self) -> Flags:
        rows = self._term()
        while self._taken("word", "and"):
            rows = rows & self._term()
        return rows

    def _term(self) -> Flags:
        self.level += 1
        if self.level > _MOST_LEVELS:
            raise BadInput(f"this condition has more than {_MOST_LEVELS} levels", where="--where", mend=_EXAMPLE)
        rows = self._negated_or_grouped()
        self.level -= 1
        return rows

    def _negated_or_grouped(self) -> Flags:
        if self._taken("word", "not"):
            return ~self._term()
        if not self._taken("sign", "("):
            return self._comparison()
        rows = self._any()
        self._require("sign", ")")
        return rows

    def _comparison(self) -> Flags:
        name = self._required({"name", "quoted"}, "a column")
        cells = self.column(_unquoted(name))
        is_negated = self._taken("word", "not")
        if self._taken("word", "in"):
            rows = _among(cells, self._list())
        elif self._taken("word", "like"):
            rows = _like(cells, _unquoted(self._required({"text"}, "a text in single quotes")))
        elif is_negated:
            raise self._wanted("IN or LIKE")
        else:
            sign = self._required({"sign"}, "=, !=, <, <=, >, >=, IN or LIKE")
            if sign.text not in _COMPARE and sign.text not in _EQUAL:
                raise _unreadable(self.condition, sign.start, "=, !=, <, <=, >, >=, IN or LIKE")
            rows = _compared(cells, sign.text, self._value())
        return ~rows if is_negated else rows

    def _list(self) -> list[_Token]:
        self._require("sign", "(")
        values = [self._value()]
        while self._taken("sign", ","):
            values.append(self._value())
        self._require("sign", ")")
        return values

    def _value(self) -> _Token:
        return self._required({"text", "number"}, "a number or a text in single quotes")

    def _taken(self, kind: str, text: str) -> bool:
        token = self.tokens[self.next]
        if (token.kind, token.text) != (kind, text):
            return False
        self.next += 1
        return True

    def _require(self, kind: str, text: str) -> None:
        if not self._taken(kind, text):
            raise self._wanted(repr(text))

    def _required(self, kinds: set[str], wanted: str) -> _Token:
        token = self.tokens[self.next]
        if token.kind not in kinds:
            raise self._wanted(wanted)
        self.next += 1
        return token

    def _wanted(self, wanted: str) -> BadInput:
        return _unreadable(self.condition, self.tokens[self.next].start, wanted)


def _unquoted(token: _Token) -> str:
    if token.kind == "name":
        return token.text
    quote = token.text[0]
    return token.text[1:-1].replace(quote * 2, quote)


def _compared(cells: Any, sign: str, value: _Token) -> Flags:  # noqa: ANN401 - pyarrow has no types
    if sign in _EQUAL:
        rows = _among(cells, [value])
        return ~rows if _EQUAL[sign] == "!=" else rows
    if value.kind == "number":
        with np.errstate(invalid="ignore"):  # NaN stands for a cell that is no number, and passes nothing
            compared: Flags = _COMPARE[sign](_numbers(cells), float(value.text))
        return compared
    import pyarrow.compute as pc

    functions = {"<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}
    return _flags(functions[sign](cells, _scalar(_unquoted(value))))


def _among(cells: Any, values: Sequence[_Token]) -> Flags:  # noqa: ANN401 - pyarrow has no types
    """Return a mask of the cells that equal one of the values: its text or, for a number, its value, bool [rows]."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = [_unquoted(value) for value in values if value.kind == "text"]
    rows = _flags(pc.is_in(cells, value_set=pa.array(texts, pa.large_string())))
    numbers = [float(value.text) for value in values if value.kind == "number"]
    return rows | np.isin(_numbers(cells), numbers) if numbers else rows


def _like(cells: Any, pattern: str) -> Flags:  # noqa: ANN401 - pyarrow has no types
    import pyarrow.compute as pc

    return _flags(pc.match_like(cells, pattern))


def _numbers(cells: Any) -> np.ndarray:  # noqa: ANN401 - pyarrow has no types
    """Return cells as numbers, float64 [rows]; NaN for a cell that is not a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_number = pc.match_substring_regex(cells, pattern=_NUMBER)
    plain = pc.utf8_trim_whitespace(pc.if_else(is_number, cells, pa.scalar(None, pa.large_string())))
    return np.asarray(pc.cast(plain, pa.float64()).to_numpy(), dtype=np.float64)


def _scalar(text: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    return pa.scalar(text, pa.large_string())


def _flags(rows: Any) -> Flags:  # noqa: ANN401 - pyarrow has no types
    return np.asarray(rows.to_numpy(), dtype=bool)
