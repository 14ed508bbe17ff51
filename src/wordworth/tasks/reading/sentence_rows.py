"""Read tables of single texts, pairs or triples, with scores, classes or no labels, to train sentence encoders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, some_of
from wordworth.tasks.examples import Origin
from wordworth.tasks.reading.infer_columns import chosen_by_header, column_names
from wordworth.tasks.reading.labelled_rows import absent
from wordworth.tasks.reading.parse_numbers_with_units import amounts, first_in_another_notation
from wordworth.tasks.reading.read_task import require_readable
from wordworth.tasks.usual_columns import COMPARED, LABELS, TEXTS, THIRD_TEXTS, usual_column
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

POSITIVE = ("entailment", "1", "duplicate", "paraphrase", "positive", "true", "yes")
"""Labels that say that the two texts of a row are alike, the likeliest first."""
_OPPOSITE = {"entailment": "contradiction", "1": "0", "true": "false", "yes": "no", "positive": "negative"}
FEW_SCORES = 3
"""Numeric labels with at least this many different values are scores, not classes."""
_ROLES = {"text": "first text", "text_b": "second text", "text_c": "third text", "label": "label"}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceColumns:
    """The columns that the user named in a table of sentences; None for a column that is to be guessed.

    Attributes:
        text: the column of the first texts.
        text_b: the column of the second texts.
        text_c: the column of the third texts.
        label: the column of scores or classes.
    """

    text: str | None = None
    text_b: str | None = None
    text_c: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class SentenceRows:
    """The n rows of a table, each with one to three texts, for training a sentence encoder.

    Attributes:
        first: [n] texts.
        second: [n] texts, "" in rows of one text.
        third: [n] texts, "" in rows of one or two texts.
        table: the table that the rows were read from, row for row.
        label: the name of the column of labels; None if the table has no labels.
        notes: findings about how the file was read.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    third: tuple[str, ...]
    table: TextTable
    label: str | None
    notes: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    @property
    def origin(self) -> Origin:
        """The file that the rows were read from."""
        return Origin(self.table.path, self.table.sha256, self.table.rows_in_file)

    @property
    def texts(self) -> list[str]:
        """The distinct texts of the rows: first the texts of the first column, then new texts of the other columns."""
        return list(dict.fromkeys(text for side in (self.first, self.second, self.third) for text in side if text))

    @property
    def repeated(self) -> int:
        """The number of rows that repeat all texts of an earlier row."""
        return len(self) - len(set(zip(self.first, self.second, self.third, strict=True)))

    @property
    def labels(self) -> list[str]:
        """The cells of the column of labels, [n].

        Raises:
            BadInput: there is no such column, or a cell is empty or NaN.
        """
        if self.label is None:
            what = f"a label or score is needed for each row, and there is only {column_names(self.table)}"
            raise BadInput(what, where=self.table.path, mend="name its column with --label")
        cells = [cell.strip() for cell in self.table.columns[self.label]]
        _refuse_lacking(self.table, absent(cells), f"no {self.label!r}")
        return cells

    @property
    def scores(self) -> Floats:
        """The labels as numbers, float64 [n].

        Raises:
            BadInput: there is no column of labels, a cell is empty or not a finite number, or the notations of numbers
                differ.
        """
        cells = self.labels
        parsed = amounts(cells)
        if parsed is not None and np.isfinite(parsed.values).all():
            return np.array(parsed.values)
        row = next((row for row, cell in enumerate(cells) if not _is_finite(cell)), None)
        if row is None:
            row = first_in_another_notation(cells)
            what = f"the score {cells[row]!r:.60} is not written as those above it in {self.label!r}"
            mend = "write all scores with the same decimal mark"
        else:
            what = f"{cells[row]!r:.60} is not a number, and {self.label!r} is to be a score"
            mend = "write a number, or name another column with --label"
        raise BadInput(what, where=self.table.where(row), mend=mend)

    def take(self, rows: Sequence[int] | NDArray[np.int64]) -> SentenceRows:
        """Return the rows with these indices, in ascending order.

        Args:
            rows: int64 [k], row indices, in any order.
        """
        ascending = sorted({int(row) for row in rows})
        first, second, third = (tuple(side[row] for row in ascending) for side in (self.first, self.second, self.third))
        table = self.table.without(set(range(len(self))) - set(ascending))
        return replace(self, first=first, second=second, third=third, table=table)


def read_sentences(path: Path | str, columns: SentenceColumns | None = None) -> SentenceRows:
    """Read a file of pairs or triples of texts.

    Args:
        path: the file.
        columns: the columns that the user names; None guesses all.

    Raises:
        BadInput: the file cannot be read, a column is missing or cannot be guessed, or a first or second text is empty.
    """
    return sentences_of(read_rows(path), columns or SentenceColumns())


def sentences_of(table: TextTable, chosen: SentenceColumns) -> SentenceRows:
    """Return the rows of a table of pairs or triples of texts.

    Args:
        table: the table.
        chosen: the columns that the user names; those that are None are guessed.

    Raises:
        BadInput: a column is missing, is named for two roles or cannot be guessed, or a first or second text is empty.
    """
    first, second = _pair(table, chosen)
    third = _named(table, chosen.text_c, "third text", (first, second), THIRD_TEXTS)
    label = _named(table, chosen.label, "label", (first, second, third), LABELS)
    used = [name for name in (first, second, third, label) if name is not None]
    twice = next((name for name in used if used.count(name) > 1), None)
    if twice is not None:
        mend = "name different columns with --text, --text-b, --text-c and --label"
        raise BadInput(f"column {twice!r} cannot serve twice", where=table.path, mend=mend)
    texts = [table.column(name, "text") for name in (first, second)]
    for name, cells in zip((first, second), texts, strict=True):
        _require_all(table, cells, f"an empty {name!r}")
    others = [""] * len(table) if third is None else [cell if cell.strip() else "" for cell in table.columns[third]]
    for cells in (*texts, others):
        require_readable(cells, table.where)
    named = {"text": first, "text_b": second, "text_c": third, "label": label}
    guessed = {role: name for role, name in named.items() if name is not None and getattr(chosen, role) is None}
    notes = (*chosen_by_header(guessed, _ROLES), *table.notes)
    return SentenceRows(tuple(texts[0]), tuple(texts[1]), tuple(others), table, label, notes)


def single_texts(path: Path | str, text: str | None) -> SentenceRows:
    """Read a file of texts as rows of one text each.

    Args:
        path: the file.
        text: the column that the user names; None takes the only column, or one with a usual name.

    Raises:
        BadInput: the file cannot be read, the column is missing or cannot be guessed, or a text is empty.
    """
    table = read_rows(path)
    name = _named(table, text, "text", (), TEXTS) or (next(iter(table.columns)) if len(table.columns) == 1 else None)
    if name is None:
        raise BadInput(
            f"which column holds the texts? there is {column_names(table)}",
            where=table.path,
            mend="name it with --text",
        )
    cells = table.column(name, "text")
    _require_all(table, cells, f"an empty {name!r}")
    require_readable(cells, table.where)
    nothing = ("",) * len(table)
    guessed = chosen_by_header({} if text is not None else {"text": name}, {"text": "text"})
    return SentenceRows(tuple(cells), nothing, nothing, table, None, (*guessed, *table.notes))


def with_positives(rows: SentenceRows, positive: str | None) -> SentenceRows:
    """Return the rows whose label says that their two texts are alike, each with a hard negative if one is found.

    A hard negative is the second text of a row with the same first text and the opposite label (such as
    `contradiction`, or the other of two labels). It becomes the third text of the returned row, unless this row already
    has a third text. No row gives more than one hard negative. All rows are returned unchanged if they have no labels,
    or if some have third texts and `positive` is None.

    Args:
        rows: the rows.
        positive: the label of texts that are alike; None takes the first label of `POSITIVE` that occurs.

    Raises:
        BadInput: no row has the label `positive`; or `positive` is None, and the labels are scores or include no label
            of `POSITIVE`.
    """
    if rows.label is None or (any(rows.third) and positive is None):
        return rows
    labels = [label.lower() for label in rows.labels]
    known = list(dict.fromkeys(labels))
    if positive is None and holds_scores(rows):
        what = f"{rows.label!r} holds scores, and this loss learns from texts that are alike or not"
        mend = "choose --loss cosine, which learns from scores, or name the label of texts alike with --positive"
        raise BadInput(what, where=rows.table.path, mend=mend)
    chosen = (positive or next((each for each in POSITIVE if each in known), "")).strip().lower()
    if chosen not in known:
        raise _no_positives(rows, positive, known)
    others = [label for label in known if label != chosen]
    opposite = others[0] if len(others) == 1 else _OPPOSITE.get(chosen)
    unlike: dict[str, list[str]] = {}
    for first, second, label in zip(rows.first, rows.second, labels, strict=True):
        if label == opposite:
            unlike.setdefault(first, []).append(second)
    taken = [row for row, label in enumerate(labels) if label == chosen]
    third = list(rows.third)
    for row in taken:
        spare = unlike.get(rows.first[row])
        if spare and not third[row]:
            third[row] = spare.pop(0)
    positives = replace(rows, third=tuple(third)).take(taken)
    return replace(positives, notes=(*rows.notes, _taken(positives, len(rows), chosen)))


def holds_scores(rows: SentenceRows) -> bool:
    """Return whether the labels of rows are numbers of which at least `FEW_SCORES` differ: scores, not classes.

    Empty cells, NaN and infinity are ignored here; `SentenceRows.scores` refuses them.
    """
    if rows.label is None:
        return False
    parsed = amounts([cell for cell in {*rows.table.columns[rows.label]} if not absent([cell])])
    return parsed is not None and len(set(filter(math.isfinite, parsed.values))) >= FEW_SCORES


def _no_positives(rows: SentenceRows, positive: str | None, known: Sequence[str]) -> BadInput:
    """Return the error for rows none of whose labels says that their texts are alike."""
    what = (
        f"no label {positive!r}"
        if positive
        else f"no label in {rows.label!r} is one that usually says that two texts are alike"
    )
    mend = f"{nearest(positive or '', known)}; name it with --positive"
    return BadInput(what, where=rows.table.path, mend=mend)


def _taken(positives: SentenceRows, total: int, label: str) -> Finding:
    negatives = sum(map(bool, positives.third))
    left = f"{total - len(positives):,} are labelled otherwise"
    text = f"{len(positives):,} of {total:,} rows are labelled {label!r} and are learned from, {left}"
    numbers = {"rows": len(positives), "of": total, "positive": label, "hard_negatives": negatives}
    return Finding("method.positives", f"{text}; {count_of(negatives, 'has', 'have')} a hard negative.", numbers)


def _pair(table: TextTable, chosen: SentenceColumns) -> tuple[str, str]:
    """Return the columns of the first and the second texts: as the user named them, else by usual names.

    Raises:
        BadInput: a named column is missing, or a column has no usual name.
    """
    for role, name in (("text", chosen.text), ("second text", chosen.text_b)):
        if name is not None:
            table.column(name, role)
    if chosen.text is not None and chosen.text_b is not None:
        return chosen.text, chosen.text_b
    by_name = {name.strip().lower(): name for name in table.columns if name not in (chosen.label, chosen.text_c)}
    usual = ((by_name[a], by_name[b]) for a, b in COMPARED if a in by_name and b in by_name)
    fits = (pair for pair in usual if chosen.text in (None, pair[0]) and chosen.text_b in (None, pair[1]))
    pair = next(fits, None)
    if pair is None:
        what = f"which columns hold the two texts to compare? there is {column_names(table)}"
        raise BadInput(what, where=table.path, mend="name them with --text and --text-b")
    return pair


def _named(
    table: TextTable, name: str | None, role: str, taken: Sequence[str | None], usual: Sequence[str]
) -> str | None:
    """Return the column that the user named, else a column with a usual name; None if there is no such column.

    Args:
        table: the table.
        name: the column that the user named; None to search.
        role: what the column holds, for the error.
        taken: the columns that have another role.
        usual: the usual names, the likeliest first.
    """
    if name is not None:
        table.column(name, role)
        return name
    return usual_column([each for each in table.columns if each not in taken], usual)


def _require_all(table: TextTable, cells: Sequence[str], lacking: str) -> None:
    _refuse_lacking(table, [row for row, cell in enumerate(cells) if not cell.strip()], lacking)


def _refuse_lacking(table: TextTable, missing: Sequence[int], lacking: str) -> None:
    """Raise BadInput with the lines of the rows that lack something, if there are such rows.

    Args:
        table: the table.
        missing: the indices of these rows.
        lacking: a phrase that says what the rows lack.
    """
    if missing:
        number = some_of(len(missing), len(table), "rows has", "rows have")
        what = f"{number} {lacking} ({table.locations(missing)})"
        raise BadInput(what, where=table.path, mend="fill them in, or remove such rows")


def _is_finite(cell: str) -> bool:
    parsed = amounts([cell])
    return parsed is not None and bool(np.isfinite(parsed.values).all())
