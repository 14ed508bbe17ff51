"""`Record`: the result of a study as plain data that outlives the code that made it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.files import write_text
from wordworth.json_file import read_json
from wordworth.record_shape import require_shape

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1
RECORD = "record.json"
_AGAIN = "run the study again"
_PARTS = frozenset({"kind", "version", "tables", "findings"})
Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length; `describe` gives each column's meaning and unit."""

    columns: Mapping[str, Sequence[Any]]
    describe: Mapping[str, str]

    def rows(self) -> list[dict[str, Any]]:
        """The table row by row."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], describe: Mapping[str, str]) -> Table:
        """A table from rows; `describe` fixes the columns and their order, so an empty table keeps its shape."""
        return cls({name: [row[name] for row in rows] for name in describe}, dict(describe))


def best_rows(rows: Sequence[Mapping[str, Any]], each: str, by: str) -> list[Mapping[str, Any]]:
    """Of a table's rows, for each value in the column `each`, the row with the largest `by`."""
    values = dict.fromkeys(row[each] for row in rows)
    return [max((row for row in rows if row[each] == value), key=lambda row: row[by]) for value in values]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence and the numbers behind it; `name` says which question it answers (`verdict`, `warning.leak`, …)."""

    name: str
    text: str
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A study's result.

    `settings`, `data`, `tables` and `findings` are the same bytes for the same seed; what the clock or the machine
    decides stands apart in `timings` (which may hold tables too) and `environment`.
    """

    kind: str
    settings: Mapping[str, Any]
    data: Mapping[str, Any]
    tables: Mapping[str, Table]
    findings: Sequence[Finding]
    timings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    version: int = VERSION

    @property
    def verdict(self) -> str:
        """The study's answer: its headline, where it has one, and the sentences under it."""
        found = self.finding("verdict")
        headline = found.numbers.get("headline")
        return f"{headline}\n{found.text}" if headline else found.text

    @property
    def warnings(self) -> list[Finding]:
        """What was noticed that could mislead whoever trusts the answer: the findings named `warning.*`."""
        return [finding for finding in self.findings if finding.name.startswith("warning.")]

    def finding(self, name: str) -> Finding:
        """The first finding of that name.

        Raises:
            NotFound: there is none.
        """
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise NotFound(f"no finding {name!r}", mend=nearest(name, (finding.name for finding in self.findings)))

    def table(self, name: str) -> pd.DataFrame:
        """A table as a pandas DataFrame, the columns' meanings in `.attrs["describe"]`.

        Raises:
            NotFound: there is none of that name.
        """
        import pandas as pd

        if name not in self.tables:
            raise NotFound(f"no table {name!r}", mend=nearest(name, self.tables))
        frame = pd.DataFrame(dict(self.tables[name].columns))
        frame.attrs["describe"] = dict(self.tables[name].describe)
        return frame

    def to_json(self) -> str:
        """The record as JSON with sorted keys; infinite and undefined numbers become the strings of `_plain`."""
        return json.dumps(_plain(self), ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"

    def save(self, path: Path | str) -> None:
        """Write the record whole or not at all."""
        write_text(path, self.to_json())


def record_file(path: Path | str) -> Path:
    """The file of a record: what was given, or in a folder the one that a study wrote."""
    return Path(path) / RECORD if Path(path).is_dir() else Path(path)


def read(path: Path | str) -> Record:
    """A record from its JSON file, or from the folder that a study wrote it into.

    Raises:
        BadInput: the file is no record, is damaged, or was made by a newer version.
    """
    file = record_file(path)
    place = str(file)
    data = read_json(file, _AGAIN)
    if not isinstance(data, dict) or not isinstance(data.get("version"), int) or not _PARTS.issubset(data):
        raise BadInput("this JSON is not a Wordworth record", where=place, mend="give the record.json of a study")
    if data["version"] > VERSION:
        raise BadInput(
            f"this record has version {data['version']!s:.20}, newer than {VERSION}",
            where=place,
            mend="pip install -U wordworth",
        )
    require_shape(data, place, _AGAIN)
    return _record(data)


def _record(data: dict[str, Any]) -> Record:
    return Record(
        kind=data["kind"],
        version=data["version"],
        settings=data["settings"],
        data=data["data"],
        tables={name: Table(table["columns"], table["describe"]) for name, table in data["tables"].items()},
        findings=[Finding(found["name"], found["text"], found["numbers"]) for found in data["findings"]],
        timings=data["timings"],
        environment=data["environment"],
    )


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON has any type
    """Plain JSON: dataclasses as objects, numpy scalars as numbers, and `"inf"`, `"-inf"`, None for what JSON lacks."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
