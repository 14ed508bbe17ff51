"""`RecordView`: a record prepared for its page, with JSON values, tables as rows, and findings by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.records import Record

Row = Mapping[str, Any]


@dataclass(frozen=True)
class RecordView:
    """A record as the JSON values of its file, so that its page is the same before and after saving.

    Attributes:
        plain: the JSON object of the record.
        needed: names of the tables that every record of this kind has; each subclass sets them.
    """

    needed: ClassVar[frozenset[str]] = frozenset()
    """Names of the tables without which there is no page; the section of another missing table is empty."""
    plain: Mapping[str, Any]

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the view of a record.

        Args:
            record: the record.
        """
        return cls(parse_json(record.to_json(), names=True))

    @property
    def data(self) -> Row:
        """The record's description of the data: name, counts and source files."""
        return self.plain["data"]  # type: ignore[no-any-return]  # JSON has any type

    @property
    def settings(self) -> Row:
        """The settings of the study, with the values that it chose for settings that the user left open."""
        return self.plain["settings"]  # type: ignore[no-any-return]  # JSON has any type

    @cached_property
    def verdict(self) -> Row:
        """The numbers of the verdict; empty if the record has no verdict."""
        findings = self.findings("verdict")
        return findings[0]["numbers"] if findings else {}

    @property
    def made(self) -> str:
        """When and where the record was made, as `2026-11-21 · Example CPU`; unknown facts are left out."""
        environment = self.plain["environment"]
        facts = [environment.get(name) for name in ("date", "cpu", "device")]
        return " · ".join(str(fact) for fact in facts if fact and fact != "cpu")

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table; empty if the record lacks the table and it is not in `needed`.

        Raises:
            KeyError: a table in `needed` is missing; `reports.render` turns this into a message to the user.
        """
        tables = self.plain["tables"]
        return rows_of(tables[table]) if table in tables or table in self.needed else []

    def findings(self, prefix: str) -> list[Row]:
        """Return the record's findings whose name is `prefix` or begins with `prefix` and a dot."""
        return [row for row in self.plain["findings"] if row["name"].split(".")[0] == prefix]

    def sentences(self, prefix: str) -> tuple[str, ...]:
        """Return the texts of the record's findings whose name is `prefix` or begins with `prefix` and a dot."""
        return tuple(str(row["text"]) for row in self.findings(prefix))


def rows_of(table: Row) -> list[Row]:
    """Return the rows of a table, each as column -> value; the record stores tables column by column.

    Raises:
        BadInput: the columns differ in length.
    """
    columns: Mapping[str, Sequence[Any]] = table["columns"]
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(column)}" for name, column in columns.items())
        raise BadInput(f"a table of this record has columns of unequal length: {lengths}", mend="run the study again")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
