"""`Record`: the result of a study as plain data, readable without the code that ran the study."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.files import as_path, write_text
from wordworth.former_record_names import with_todays_names
from wordworth.json_file import read_json
from wordworth.record_json_values import frame_column, plain, restored, restored_column
from wordworth.record_schema_check import has_equal_columns, require_shape

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1
RECORD = "record.json"
_RUN_AGAIN = "run the study again"
_HEADLINE = 120
"""Most characters of the headline in a record's `repr`."""
_REQUIRED = frozenset({"kind", "version", "tables", "findings"})


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a record.

    Attributes:
        columns: name of each column -> its values, one for each row.
        describe: name of each column -> its meaning and unit.
    """

    columns: Mapping[str, Sequence[Any]]
    describe: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<Table of {len(next(iter(self.columns.values()), ()))} rows; columns {', '.join(self.columns)}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows, each as a dict of column name -> value."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], describe: Mapping[str, str]) -> Table:
        """Return a table with these rows.

        Args:
            rows: name of a column -> its value, for each row.
            describe: name of a column -> its description; these are the table's columns, in this order, even without
                rows.
        """
        return cls({name: [row[name] for row in rows] for name in describe}, dict(describe))


def best_rows(rows: Sequence[Mapping[str, Any]], each: str, by: str) -> list[Mapping[str, Any]]:
    """Return, for each value in column `each`, the row with the largest value in column `by`.

    Args:
        rows: the rows of a table.
        each: the column that is grouped by.
        by: the column whose largest value is chosen.
    """
    values = dict.fromkeys(row[each] for row in rows)
    return [max((row for row in rows if row[each] == value), key=lambda row: row[by]) for value in values]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a study: a name (`verdict`, `warning.leak`, …), a sentence (`text`), and the sentence's numbers.

    The finding `verdict` answers the study's question. Findings named `warning.*` say what could mislead a reader of
    the verdict.
    """

    name: str
    text: str
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The result of a study, with its settings, data, tables and findings.

    `settings`, `data`, `tables` and `findings` are the same bytes for the same seed. Values that depend on the clock or
    the machine are in `timings` (which may hold tables too) and `environment`. Two records are equal if their files
    have the same bytes: a record that was read from its file equals the saved record.

    Attributes:
        kind: the study that made the record, such as `worth`.
        settings: name of a setting -> its value.
        data: facts about the input, such as its file, its hash and its number of rows.
        tables: name -> table of results.
        findings: the sentences about the results, with their numbers.
        timings: seconds of the study's parts, and tables of measured times.
        environment: versions of libraries, and the machine.
        version: version of the record's format.
    """

    kind: str
    settings: Mapping[str, Any]
    data: Mapping[str, Any]
    tables: Mapping[str, Table]
    findings: Sequence[Finding]
    timings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    version: int = VERSION

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # its parts can change

    def __repr__(self) -> str:
        verdict = next((finding for finding in self.findings if finding.name == "verdict"), None)
        headline = "" if verdict is None else str(verdict.numbers.get("headline") or verdict.text.partition("\n")[0])
        short = f": {shorten(headline, _HEADLINE, placeholder='…')}" if headline else ""
        return f"<Record {self.kind}{short}; tables {', '.join(self._all_tables) or 'none'}>"

    @property
    def _all_tables(self) -> dict[str, Table]:
        """The tables that `table` looks up, by name: those in `tables`, then those in `timings`, such as `costs`."""
        timed = {name: value for name, value in self.timings.items() if isinstance(value, Table)}
        return {**self.tables, **{name: table for name, table in timed.items() if name not in self.tables}}

    def _repr_html_(self) -> str:
        """Return the record's answer, warnings and tables as HTML for a notebook, far shorter than the whole page."""
        notebook = import_module("wordworth.reports.notebook")  # it is made of records, so that it is known only late
        return str(notebook.notebook_summary(self, self._all_tables))

    @property
    def verdict(self) -> str:
        """The answer to the study's question: the text of the finding `verdict`.

        If the finding's numbers have a `headline`, the headline is a line before the text.
        """
        verdict = self.finding("verdict")
        headline = verdict.numbers.get("headline")
        return f"{headline}\n{verdict.text}" if headline else verdict.text

    @property
    def warnings(self) -> list[Finding]:
        """The findings named `warning.*`: what could mislead a reader of the verdict."""
        return [finding for finding in self.findings if finding.name.startswith("warning.")]

    def finding(self, name: str) -> Finding:
        """Return the first finding with this name.

        Raises:
            NotFound: there is no finding with this name.
        """
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise NotFound(f"no finding {name!r}", mend=nearest(name, (finding.name for finding in self.findings)))

    def table(self, name: str) -> pd.DataFrame:
        """Return the table with this name as a pandas DataFrame, with the descriptions in `.attrs["describe"]`.

        Args:
            name: name of a table in `tables` or in `timings`, such as `costs`.

        Raises:
            NotFound: there is no table with this name.
        """
        import pandas as pd

        tables = self._all_tables
        if not isinstance(name, str) or name not in tables:
            raise NotFound(f"no table {name!r}", mend=nearest(str(name), tables))
        frame = pd.DataFrame({column: frame_column(values) for column, values in tables[name].columns.items()})
        frame.attrs["describe"] = dict(tables[name].describe)
        return frame

    def to_json(self) -> str:
        """Return the record as JSON text. Columns of tables keep their order; all other names are sorted.

        Infinite numbers are written as the strings `"inf"` and `"-inf"`, NaN as null.
        """
        return json.dumps(plain(self), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def save(self, path: Path | str) -> None:
        """Write the record to a JSON file, atomically."""
        write_text(path, self.to_json())


def record_file(path: Path | str) -> Path:
    """Return the path of a record's file: `path` itself or, if `path` is a folder, the `record.json` in it."""
    file = as_path(path)
    return file / RECORD if file.is_dir() else file


def read(path: Path | str) -> Record:
    """Read a record from its JSON file, or from the folder that a study wrote.

    Raises:
        BadInput: the file is not a record, is damaged, or was made by a newer version.
    """
    file = record_file(path)
    where = str(file)
    data = read_json(file, _RUN_AGAIN)
    if not isinstance(data, dict) or not isinstance(data.get("version"), int) or not _REQUIRED.issubset(data):
        raise BadInput("this JSON is not a Wordworth record", where=where, mend="give the record.json of a study")
    if data["version"] > VERSION:
        raise BadInput(
            f"this record has version {data['version']!s:.20}, newer than {VERSION}",
            where=where,
            mend="pip install -U wordworth",
        )
    require_shape(data, where, _RUN_AGAIN)
    return _record(with_todays_names(data))


def as_record(record: Record | Path | str) -> Record:
    """Return a `Record` unchanged; read it first if `record` is a path to its file or folder.

    Raises:
        BadInput: there is no such record, or it is damaged.
    """
    return record if isinstance(record, Record) else read(record)


def _record(data: dict[str, Any]) -> Record:
    return Record(
        kind=data["kind"],
        version=data["version"],
        settings=data["settings"],
        data=data["data"],
        tables={name: _table(table) for name, table in data["tables"].items()},
        findings=[
            Finding(each["name"], each["text"], {name: restored(value) for name, value in each["numbers"].items()})
            for each in data["findings"]
        ],
        timings={name: _timing(value) for name, value in data["timings"].items()},
        environment=data["environment"],
    )


def _timing(value: Any) -> Any:  # noqa: ANN401 - JSON has any type
    """Return a value of a record file's timings, with dicts that hold a table as `Table`, and "inf" as a number."""
    if not isinstance(value, dict):
        return restored(value)
    if set(value) == {"columns", "describe"} and has_equal_columns(value["columns"]):
        return _table(value)
    return {name: _timing(item) for name, item in value.items()}


def _table(table: Mapping[str, Any]) -> Table:
    return Table({name: restored_column(column) for name, column in table["columns"].items()}, table["describe"])
