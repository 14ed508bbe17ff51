"""`sql_condition`: translate a condition on columns to SQL, with the same meaning as in a search of an index.

Texts and numbers of the condition are passed as values of placeholders, and are never part of the SQL text. Only
columns of the table are accepted, and their names are quoted. A missing cell (NULL) counts as the text ''.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wordworth.errors import NotFound, nearest
from wordworth.retrieval.condition_parser import NUMBER, Value, parse

_ASCII_NUMBER = NUMBER.replace(r"\d", "[0-9]")


class SqlCondition(NamedTuple):
    """An expression of SQL with the values of its placeholders, in order."""

    expression: str
    values: tuple[Value, ...]


class Dialect(NamedTuple):
    """The parts of SQL expressions that differ between databases.

    Attributes:
        placeholder: the placeholder of a value, such as `?`.
        number: expression that converts the cell `{}` to a number, or to NULL if it is not a number.
        text: expression for the cell `{}` with which `<` and the like compare texts by the codes of their characters.
        like: text at the end of a LIKE expression, which sets the escape character; empty if the database needs no such
            text.
    """

    placeholder: str
    number: str
    text: str
    like: str


SQLITE = Dialect("?", "number_of({})", "{}", r" ESCAPE '\'")
"""SQLite; `SqliteTable` defines the function `number_of`, and sets LIKE to distinguish capitals from small letters."""
POSTGRES = Dialect(
    "%s", f"(CASE WHEN {{0}} ~ '{_ASCII_NUMBER}' THEN CAST({{0}} AS double precision) END)", '({} COLLATE "C")', ""
)


def sql_condition(where: str, columns: Sequence[str], dialect: Dialect, table: str) -> SqlCondition:
    """Return a condition as an SQL expression with placeholders, and the values of the placeholders.

    Args:
        where: the condition.
        columns: the columns that the condition may name.
        dialect: the dialect of the database.
        table: name of the table, for errors.

    Raises:
        BadInput: the condition cannot be parsed.
        NotFound: the condition names a column that is not among `columns`.
    """
    return parse(where, _Expressions(tuple(columns), dialect, table))


def quoted(name: str) -> str:
    """Return the name of a table or column in double quotes, as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class _Expressions:
    """The `Evaluator` that translates a condition into an SQL expression."""

    columns: tuple[str, ...]
    dialect: Dialect
    table: str = field(default="")

    def among(self, column: str, values: Sequence[Value]) -> SqlCondition:
        cell = self._cell(column)
        texts = tuple(value for value in values if isinstance(value, str))
        numbers = tuple(value for value in values if not isinstance(value, str))
        parts = [f"{cell} IN ({self._placeholders(texts)})"] if texts else []
        parts += [f"COALESCE({self._number(cell)} IN ({self._placeholders(numbers)}), FALSE)"] if numbers else []
        return SqlCondition(f"({' OR '.join(parts)})", (*texts, *numbers))

    def compared(self, column: str, sign: str, value: Value) -> SqlCondition:
        cell = self._cell(column)
        form = self.dialect.text.format(cell) if isinstance(value, str) else self._number(cell)
        return SqlCondition(f"COALESCE({form} {sign} {self.dialect.placeholder}, FALSE)", (value,))

    def like(self, column: str, pattern: str) -> SqlCondition:
        return SqlCondition(f"({self._cell(column)} LIKE {self.dialect.placeholder}{self.dialect.like})", (pattern,))

    def negated(self, condition: SqlCondition) -> SqlCondition:
        return SqlCondition(f"(NOT {condition.expression})", condition.values)

    def both(self, first: SqlCondition, second: SqlCondition) -> SqlCondition:
        return SqlCondition(f"({first.expression} AND {second.expression})", (*first.values, *second.values))

    def either(self, first: SqlCondition, second: SqlCondition) -> SqlCondition:
        return SqlCondition(f"({first.expression} OR {second.expression})", (*first.values, *second.values))

    def _cell(self, column: str) -> str:
        if column not in self.columns:
            what = f"column {column!r} not found"
            raise NotFound(what, where=f"table {self.table!r}", mend=nearest(column, self.columns))
        name = quoted(column)
        return f"COALESCE({name.replace('%', '%%') if self.dialect.placeholder == '%s' else name}, '')"

    def _number(self, cell: str) -> str:
        return self.dialect.number.format(cell)

    def _placeholders(self, values: Sequence[Value]) -> str:
        return ", ".join([self.dialect.placeholder] * len(values))
