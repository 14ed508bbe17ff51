"""`parse`: read a condition on columns, such as `lang = 'en'`, and translate it by an `Evaluator`, such as to SQL.

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

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from wordworth.errors import BadInput

Condition = TypeVar("Condition")
Value = str | float
"""A value that a cell is compared with: a text, or a number."""
NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"
"""Regular expression of a cell that is a number."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<quoted>"(?:[^"]|"")*")|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?!\w)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<sign><=|>=|!=|<>|==|[=<>(),]))"""
)
_WORDS = {"and", "or", "not", "in", "like"}
_COMPARE = ("<", "<=", ">", ">=")
_EQUAL = {"=": "=", "==": "=", "!=": "!=", "<>": "!="}
_EXAMPLE = "write a condition such as lang = 'en' AND year >= 2020, texts in single quotes"
_MOST_LEVELS = 100


class Evaluator(Protocol[Condition]):
    """A translator of conditions into a type of result, such as a mask of rows or an SQL expression."""

    def among(self, column: str, values: Sequence[Value]) -> Condition:
        """Return the condition that a cell equals one of the values.

        Args:
            column: name of the cell's column.
            values: the values.
        """
        ...

    def compared(self, column: str, sign: str, value: Value) -> Condition:
        """Return the condition that a cell is less than, at most, more than or at least a value.

        Args:
            column: name of the column.
            sign: `<`, `<=`, `>` or `>=`.
            value: the value to compare with.
        """
        ...

    def like(self, column: str, pattern: str) -> Condition:
        """Return the condition that a cell fits a pattern, in which % is any characters, and _ one character.

        Args:
            column: name of the cell's column.
            pattern: the pattern.
        """
        ...

    def negated(self, condition: Condition) -> Condition:
        """Return the condition that holds exactly where a given condition does not hold.

        Args:
            condition: the given condition.
        """
        ...

    def both(self, first: Condition, second: Condition) -> Condition:
        """Return the condition that both of two conditions hold."""
        ...

    def either(self, first: Condition, second: Condition) -> Condition:
        """Return the condition that holds where one or both of two conditions hold."""
        ...


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a condition: its kind, its text, and the index of its first character.

    Kinds are `text`, `quoted`, `number`, `name`, `sign`, `word` (AND, OR, NOT, IN, LIKE) and `end`.
    """

    kind: str
    text: str
    start: int


def parse(condition: str, evaluator: Evaluator[Condition]) -> Condition:
    """Parse a condition, and return its translation by an evaluator.

    Args:
        condition: the condition, such as `lang = 'en' AND year >= 2020`.
        evaluator: translates each comparison, and joins the translations.

    Raises:
        BadInput: the condition cannot be parsed; the error says at which token.
    """
    return _Parser(condition, evaluator).whole()


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
class _Parser(Generic[Condition]):
    """A recursive descent parser, with a method for each level of the grammar, which evaluates while it parses."""

    condition: str
    evaluator: Evaluator[Condition]
    tokens: list[_Token] = field(init=False)
    next: int = 0
    level: int = 0

    def __post_init__(self) -> None:
        self.tokens = _tokens(self.condition)

    def whole(self) -> Condition:
        made = self._any()
        if self.tokens[self.next].kind != "end":
            raise self._wanted("AND, OR or the end")
        return made

    def _any(self) -> Condition:
        made = self._all()
        while self._taken("word", "or"):
            made = self.evaluator.either(made, self._all())
        return made

    def _all(self) -> Condition:
        made = self._term()
        while self._taken("word", "and"):
            made = self.evaluator.both(made, self._term())
        return made

    def _term(self) -> Condition:
        self.level += 1
        if self.level > _MOST_LEVELS:
            raise BadInput(f"this condition has more than {_MOST_LEVELS} levels", where="--where", mend=_EXAMPLE)
        made = self._negated_or_grouped()
        self.level -= 1
        return made

    def _negated_or_grouped(self) -> Condition:
        if self._taken("word", "not"):
            return self.evaluator.negated(self._term())
        if not self._taken("sign", "("):
            return self._comparison()
        made = self._any()
        self._require("sign", ")")
        return made

    def _comparison(self) -> Condition:
        column = _unquoted(self._required({"name", "quoted"}, "a column"))
        is_negated = self._taken("word", "not")
        if self._taken("word", "in"):
            made = self.evaluator.among(column, self._list())
        elif self._taken("word", "like"):
            made = self.evaluator.like(column, _unquoted(self._required({"text"}, "a text in single quotes")))
        elif is_negated:
            raise self._wanted("IN or LIKE")
        else:
            made = self._signed(column)
        return self.evaluator.negated(made) if is_negated else made

    def _signed(self, column: str) -> Condition:
        sign = self._required({"sign"}, "=, !=, <, <=, >, >=, IN or LIKE")
        if sign.text in _COMPARE:
            return self.evaluator.compared(column, sign.text, self._value())
        if sign.text not in _EQUAL:
            raise _unreadable(self.condition, sign.start, "=, !=, <, <=, >, >=, IN or LIKE")
        made = self.evaluator.among(column, [self._value()])
        return made if _EQUAL[sign.text] == "=" else self.evaluator.negated(made)

    def _list(self) -> list[Value]:
        self._require("sign", "(")
        values = [self._value()]
        while self._taken("sign", ","):
            values.append(self._value())
        self._require("sign", ")")
        return values

    def _value(self) -> Value:
        token = self._required({"text", "number"}, "a number or a text in single quotes")
        return float(token.text) if token.kind == "number" else _unquoted(token)

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
