"""A record made ready to be told: plain JSON values, tables row by row, findings by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.records import Record

Row = Mapping[str, Any]


@dataclass(frozen=True)
class RecordView:
    """The record as its JSON file would hold it, so that a page is the same before and after saving."""

    plain: Mapping[str, Any]

    @classmethod
    def of(cls, record: Record) -> Self:
        """What a record holds."""
        return cls(parse_json(record.to_json()))

    @property
    def data(self) -> Row:
        """What the study is of: its name, counts, sources."""
        return self.plain["data"]  # type: ignore[no-any-return]  # JSON has any type

    @property
    def settings(self) -> Row:
        """What was asked for, and what was chosen for it."""
        return self.plain["settings"]  # type: ignore[no-any-return]  # JSON has any type

    @cached_property
    def verdict(self) -> Row:
        """The numbers behind the verdict; empty where the record has none."""
        found = self.findings("verdict")
        return found[0]["numbers"] if found else {}

    @property
    def made(self) -> str:
        """When and on what machine: `2026-11-21 · Example CPU`; what is not on record is left out."""
        environment = self.plain["environment"]
        return " · ".join(str(environment[name]) for name in ("date", "cpu") if environment.get(name))

    def rows(self, table: str) -> list[Row]:
        """A table of the record row by row.

        Raises:
            KeyError: the record has no such table; `pages.render` tells the user.
        """
        return rows_of(self.plain["tables"][table])

    def findings(self, prefix: str) -> list[Row]:
        """The findings named `prefix` or `prefix.*`."""
        return [row for row in self.plain["findings"] if row["name"].split(".")[0] == prefix]

    def sentences(self, prefix: str) -> tuple[str, ...]:
        """What the findings named `prefix` or `prefix.*` say."""
        return tuple(str(row["text"]) for row in self.findings(prefix))


def rows_of(table: Row) -> list[Row]:
    """A table of columns row by row.

    Raises:
        BadInput: its columns differ in length.
    """
    columns: Mapping[str, Sequence[Any]] = table["columns"]
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(column)}" for name, column in columns.items())
        raise BadInput(f"a table of this record has columns of unequal length: {lengths}", mend="make the record again")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
