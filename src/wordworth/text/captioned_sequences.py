"""Sequences of feature rows, such as the clips or frames of a video, with their captions, read from a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
PARTS = ("train", "valid", "test")
START, END, TEXT, GROUP, PART, AUDIO = "start", "end", "text", "group", "part", "audio"
FORM = "give a table with columns start and end: the first row of features of a sequence, and the one after its last"


@dataclass(frozen=True, slots=True)
class CaptionedSequences:
    """Sequences of feature rows, such as the frames of video clips, each with its caption.

    A sequence may have a caption without feature rows, or feature rows without a caption.

    Attributes:
        table: the rows of the file that describes the sequences.
        bounds: int64 [n, 2], the index of each sequence's first feature row, and the index after its last one; both are
            0 for a sequence without feature rows.
        texts: the caption of each sequence; "" for a sequence without a caption.
        groups: the group of each sequence, such as its speaker or film; all sequences of a group are in the same part.
        parts: the part of each sequence: train, valid or test; None if the file names no parts.
        audio: the sound file of each sequence, as the table names it (relative to the table's folder); "" for none.
    """

    table: TextTable
    bounds: Numbers
    texts: tuple[str, ...]
    groups: tuple[str, ...]
    parts: tuple[str, ...] | None
    audio: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def words_alone(self) -> Flags:
        """Whether each sequence has a caption and no feature rows, bool [n]."""
        alone: Flags = self.bounds[:, 0] == self.bounds[:, 1]
        return alone

    @property
    def codes_alone(self) -> Flags:
        """Whether each sequence has feature rows and no caption, bool [n]."""
        return np.array([not text for text in self.texts], dtype=np.bool_)

    @property
    def paired(self) -> Flags:
        """Whether each sequence has a caption and feature rows, bool [n]."""
        return ~(self.words_alone | self.codes_alone)


def read_bounds(table: TextTable, rows: int) -> Numbers:
    """Read the index of each sequence's first feature row, and the index after its last one, int64 [n, 2].

    A sequence whose cells `start` and `end` are empty has no feature rows; its bounds are 0 and 0.

    Args:
        table: a table with the columns `start` and `end`.
        rows: number of feature rows.

    Raises:
        BadInput: a column is missing, a cell is not a whole number, `start` is not below `end`, or a sequence ends
            after the last feature row.
    """
    columns = [table.column(name) for name in (START, END)]
    bounds = np.zeros((len(table), 2), dtype=np.int64)
    for row, cells in enumerate(zip(*columns, strict=True)):
        if not any(cell.strip() for cell in cells):
            continue
        start, end = (_number(cell, table.where(row)) for cell in cells)
        if start >= end:
            what = f"an empty sequence, from row {start} to row {end}"
            raise BadInput(what, where=table.where(row), mend="leave it out; `end` is the row after the last")
        if end > rows:
            what = f"the sequence ends before row {end}, and there are {rows} rows of features"
            raise BadInput(what, where=table.where(row), mend="give the features that the table was made with")
        bounds[row] = start, end
    return bounds


def read_captioned(path: Path | str, rows: int) -> CaptionedSequences:
    """Read the bounds, captions and groups of sequences of feature rows.

    Args:
        path: a table with columns `start`, `end`, `text` and `group`, and optionally `part` (train, valid or test) and
            `audio` (a .wav). Either `text`, or both `start` and `end`, may be empty.
        rows: number of feature rows.

    Raises:
        BadInput: a column is missing, a cell is invalid, a row has neither a caption nor feature rows, or a group is in
            two parts; the error names the row.
    """
    table = read_rows(path)
    bounds = read_bounds(table, rows)
    texts, groups = ([cell.strip() for cell in table.column(name)] for name in (TEXT, GROUP))
    for row, (text, group, (start, end)) in enumerate(zip(texts, groups, bounds.tolist(), strict=True)):
        if not group or (not text and start == end):
            what = "a sequence without a group" if not group else "a sequence without words and features"
            raise BadInput(what, where=table.where(row), mend="leave it out, or fill the cells")
    audio = table.columns.get(AUDIO, [""] * len(table))
    return CaptionedSequences(table, bounds, tuple(texts), tuple(groups), _parts(table, groups), tuple(audio))


def _number(cell: str, where: str) -> int:
    """Return a cell's number; 3.0 is 3, as pandas writes whole numbers of a column with empty cells."""
    try:
        if cell.strip().isdecimal():
            return int(cell)  # a float would round what is beyond 2 ** 53
        number = float(cell)
    except ValueError as error:
        raise BadInput(f"{cell!r:.40} is no row of features", where=where, mend=FORM) from error
    if not number.is_integer():
        raise BadInput(f"{cell!r:.40} is no row of features", where=where, mend=FORM)
    if number < 0:
        raise BadInput(f"row {int(number)} is before the first, which is 0", where=where, mend=FORM)
    return int(number)


def _parts(table: TextTable, groups: Sequence[str]) -> tuple[str, ...] | None:
    """Return the part of each sequence (train, valid or test); None if the table has no column of parts."""
    if PART not in table.columns:
        return None
    of_group: dict[str, str] = {}
    for row, (group, part) in enumerate(zip(groups, table.columns[PART], strict=True)):
        if part not in PARTS:
            raise BadInput(f"no part {part!r:.40}", where=table.where(row), mend="give train, valid or test")
        if of_group.setdefault(group, part) != part:
            what = f"group {group!r:.40} stands in two parts, {of_group[group]} and {part}"
            raise BadInput(what, where=table.where(row), mend="give all sequences of a group the same part")
    return tuple(table.columns[PART])
