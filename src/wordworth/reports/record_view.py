"""A record prepared for display: plain JSON values, tables row by row, findings by name."""

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
    """The record as its JSON file would hold it, so that its page is the same before and after saving."""

    needed: ClassVar[frozenset[str]] = frozenset()
    """The tables without which there is no page; the section of any other that is missing is left empty."""
    plain: Mapping[str, Any]

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the view of a record."""
        return cls(parse_json(record.to_json()))

    @property
    def data(self) -> Row:
        """The data of the study: its name, counts, sources."""
        return self.plain["data"]  # type: ignore[no-any-return]  # JSON has any type

    @property
    def settings(self) -> Row:
        """The settings as requested, with what was chosen for those left open."""
        return self.plain["settings"]  # type: ignore[no-any-return]  # JSON has any type

    @cached_property
    def verdict(self) -> Row:
        """The numbers behind the verdict; empty where the record has none."""
        findings = self.findings("verdict")
        return findings[0]["numbers"] if findings else {}

    @property
    def made(self) -> str:
        """When and on what machine the record was made: `2026-11-21 · Example CPU`; missing facts are left out."""
        environment = self.plain["environment"]
        facts = [environment.get(name) for name in ("date", "cpu", "device")]
        return " · ".join(str(fact) for fact in facts if fact and fact != "cpu")

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table of the record; empty if the record lacks a table that is not `needed`.

        Raises:
            KeyError: a needed table is missing; `reports.render` turns it into a message to the user.
        """
        tables = self.plain["tables"]
        return rows_of(tables[table]) if table in tables or table in self.needed else []

    def findings(self, prefix: str) -> list[Row]:
        """Return the findings named `prefix` or `prefix.*`."""
        return [row for row in self.plain["findings"] if row["name"].split(".")[0] == prefix]

    def sentences(self, prefix: str) -> tuple[str, ...]:
        """Return the texts of the findings named `prefix` or `prefix.*`."""
        return tuple(str(row["text"]) for row in self.findings(prefix))


def rows_of(table: Row) -> list[Row]:
    """Return the rows of a table that is stored by columns.

    Raises:
        BadInput: its columns differ in length.
    """
    columns: Mapping[str, Sequence[Any]] = table["columns"]
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(column)}" for name, column in columns.items())
        raise BadInput(f"a table of this record has columns of unequal length: {lengths}", mend="run the study again")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
