"""Questions to a fine-tuned model: rows of a file as they come, and what each kind of task needs of them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput, nearest
from wordworth.json_file import parse_json
from wordworth.tasks.reading.cell_values import words
from wordworth.tasks.reading.custom_qa import CONTEXTS, OPTIONS
from wordworth.tasks.reading.infer_columns import PAIRS
from wordworth.tasks.task import Examples
from wordworth.text.delimited import delimited
from wordworth.text.lines import lines
from wordworth.text.raw_file import check_file, suffix_of
from wordworth.text.tables.jsonl import cell, json_object
from wordworth.text.tables.read import read_asked_rows
from wordworth.text.tables.table import numbered

if TYPE_CHECKING:
    from wordworth.tasks.task import Kind

_NAMES = {
    "text": ("text", "text_a", "sentence", "sentence1", "premise", "question1", "first"),
    "second": ("text_b", "sentence2", "hypothesis", "question2", "second"),
    "words": ("words", "tokens", "text", "sentence"),
    "context": CONTEXTS,
    "question": ("question",),
    "options": OPTIONS,
    "id": ("id",),
    "document": ("document",),
}
_NEEDED: dict[str, tuple[str, ...]] = {
    "tags": ("words",),
    "choice": ("context", "options"),
    "span": ("question", "context"),
}
_LEAST_OPTIONS = 2
_SAID = {"second": "second text"}
_OPTIONS = {"text": "--text", "words": "--text", "context": "--text", "second": "--text-b"}


@dataclass(frozen=True, slots=True)
class InputRow:
    """A row: its cells by column as text, and where it stands."""

    cells: Mapping[str, str]
    where: str


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Which columns are read, by role; the user's names first, those of the file learned from, then the usual ones."""

    kind: Kind
    pairs: bool
    text: str | None = None
    second: str | None = None
    learned: tuple[str, ...] = ()

    def cell(self, row: InputRow, role: str, *, needed: bool = True) -> str:
        """A row's cell in a role; "" where it is absent and not needed.

        Raises:
            BadInput: the row lacks a column that is needed.
        """
        named, names = self._names(row, role)
        found = next((name for name in names if name in row.cells), None)
        if found is not None:
            return row.cells[found]
        if not needed:
            return ""
        first = next((name for name in (self.text, *_NAMES["text"]) if name in row.cells), None)
        others = [name for name in row.cells if role != "second" or name != first]
        option = _OPTIONS.get(role)
        mend = f"give {option} NAME, or name it {names[0]!r}" if option and not named else f"name it {names[0]!r}"
        mend = f"{mend}; {nearest(names[0], others)}" if others else mend
        raise BadInput(f"this row has no column for the {_SAID.get(role, role)}", where=row.where, mend=mend)

    def guessed(self, row: InputRow) -> str:
        """The column that texts are read from where nobody named it and it is not the one learned from; else ""."""
        role = "words" if self.kind == "tags" else "text"
        named, names = self._names(row, role)
        found = next((name for name in names if name in row.cells), "")
        return "" if named or not self.learned or found in self._as_learned(role) else found

    def _names(self, row: InputRow, role: str) -> tuple[str | None, tuple[str, ...]]:
        """What the user called the column of a role, and what it may be called, the likeliest first."""
        named = {"text": self.text, "words": self.text, "context": self.text, "second": self.second}.get(role)
        return named, (named,) if named else (*self._as_learned(role), *self._paired(row, role), *_NAMES[role])

    def _as_learned(self, role: str) -> tuple[str, ...]:
        """What the column was called in the file learned from."""
        place = {"text": 0, "words": 0, "second": 1}.get(role)
        return () if place is None else self.learned[place : place + 1]

    def _paired(self, row: InputRow, role: str) -> tuple[str, ...]:
        """Of two columns that are usually a pair, the one in this role: `sentence` alone may be the first of two."""
        if not self.pairs or role not in {"text", "second"} or self.text or self.second:
            return ()
        return tuple(pair[role == "second"] for pair in PAIRS if row.cells.keys() >= set(pair))


def examples_of(rows: Sequence[InputRow], roles: ColumnRoles) -> Examples:
    """The examples that rows ask about.

    Raises:
        BadInput: a row lacks what the kind of task needs.
    """
    if roles.kind == "tags":
        given = tuple(tuple(words(roles.cell(row, "words"))) for row in rows)
        documents = numbered([roles.cell(row, "document", needed=False) for row in rows])
        return Examples(tuple(" ".join(one) for one in given), words=given, documents=documents)
    if roles.kind == "choice":
        options = tuple(_options(row, roles) for row in rows)
        asked = tuple(roles.cell(row, "question", needed=False) for row in rows)
        return Examples(tuple(roles.cell(row, "context") for row in rows), asked, options=options)
    if roles.kind == "span":
        first, second = (tuple(roles.cell(row, role) for row in rows) for role in ("question", "context"))
        names = tuple(roles.cell(row, "id", needed=False) or row.where for row in rows)
        return Examples(first, second, ids=names)
    first = tuple(roles.cell(row, "text") for row in rows)
    return Examples(first, tuple(roles.cell(row, "second") for row in rows) if roles.pairs else None)


def _options(row: InputRow, roles: ColumnRoles) -> tuple[str, ...]:
    try:
        found = parse_json(roles.cell(row, "options"))
    except ValueError:
        found = None
    if not isinstance(found, list) or len(found) < _LEAST_OPTIONS:
        raise BadInput("options are a JSON array of two or more texts", where=row.where, mend='write ["one", "two"]')
    return tuple(cell(one) for one in found)


def input_rows(path: Path) -> Iterator[InputRow]:
    """The rows of a .jsonl, .csv or .tsv as they are read, packed or not; of a .parquet or CoNLL file all at once.

    Raises:
        BadInput: no such file, an unknown format, damage; names the line.
    """
    check_file(path)
    suffix = suffix_of(path.name)
    if suffix in {".jsonl", ".ndjson"}:
        yield from _json_rows(path)
    elif suffix in {".csv", ".tsv"}:
        rows = delimited(path)
        _, header = next(rows)
        yield from (InputRow(dict(zip(header, row, strict=True)), where) for where, row in rows)
    else:
        table = read_asked_rows(path)
        marked = {} if table.document_of is None else {"document": [str(number) for number in table.document_of]}
        for row in range(len(table)):
            yield InputRow(
                {name: column[row] for name, column in {**marked, **table.columns}.items()}, table.where(row)
            )


def _json_rows(path: Path) -> Iterator[InputRow]:
    """Every row with all keys of the file: one that it lacks is "", as in the rows that are learned from."""
    blank = dict.fromkeys((name for row, _ in _objects(path) for name in row), "")
    for row, where in _objects(path):
        yield InputRow(ChainMap({name: cell(value) for name, value in row.items()}, blank), where)


def _objects(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in lines(path):
        if line.strip():
            where = f"{path}, line {number}"
            yield json_object(line, where), where
