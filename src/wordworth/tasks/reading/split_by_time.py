"""Split by time: where the user names a column of times, test on the latest rows and learn from those before."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.settings_validation import flag_of
from wordworth.tasks.reading.labelled_rows import LabelledRows, filled_cells
from wordworth.tasks.task import Rows

_MONTH = len("2024-03")
_KINDS = {_MONTH: "a month", len("20240331"): "a date", len("2024-03-31"): "a date"}
"""Length of a cell -> the format of its time. Formats may not be mixed: a month would count as its first day, a day as
its first minute."""
_SLASHES = re.compile(r"^(\d{4})/(\d{2})/(\d{2})")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_WEEK = re.compile(r"(\d{4}-\d{2}-\d{2})/\d{4}-\d{2}-\d{2}")
"""A quarter and a week as pandas writes its periods."""
_FAR_FROM_WISHED = 1.5
"""Ratio between the wished and the actual number of test rows from which a warning is given."""
SMALLER_TEST_SHARE = f"learn from later rows too, with a smaller share for {flag_of('test')}"
"""The advice where the training part lacks classes that the later rows have."""
_MEND = "write numbers, or dates such as 2024-03-31 or 2024-03-31T14:00"


@dataclass(frozen=True, slots=True)
class Times:
    """The times of n rows, read from the column of times that the user names.

    Attributes:
        column: the name of the column.
        values: float64 [n], the times as numbers that grow with time.
        cells: [n] the times as the file writes them.
        path: the file, for error messages.
    """

    column: str
    values: NDArray[np.float64]
    cells: Sequence[str]
    path: str

    @classmethod
    def of(cls, rows: LabelledRows) -> Times | None:
        """Parse the times of the rows, numbers or ISO dates; None if the user names no column of times.

        Raises:
            BadInput: a row's time is missing or cannot be parsed, or the column mixes formats (numbers, months, dates,
                dates with a time, with a time zone).
        """
        name = rows.columns.time
        if name is None:
            return None
        cells = filled_cells(rows, name)
        read = [_read(cell) for cell in cells]
        for row, (kind, _) in enumerate(read):
            if not kind:
                raise BadInput(f"{name!r} is {cells[row]!r:.60}, not a time", where=rows.where(row), mend=_MEND)
            if kind != read[0][0]:
                what = f"{name!r} is {cells[row]!r:.60}, {kind}, where the first row has {read[0][0]}"
                raise BadInput(what, where=rows.where(row), mend="write all of them in one way")
        return cls(name, np.array([value for _, value in read]), cells, rows.tables[0].path)

    def split(self, drawn: Rows, count: int) -> tuple[Rows, Rows]:
        """Split rows by time into (training rows, test rows): about `count` of the latest rows are test rows.

        Rows of equal time are in the same part, so that every test row is later than every training row.

        Args:
            drawn: int64 [n], the indices of the rows to split.
            count: the requested number of test rows.

        Raises:
            BadInput: all rows have the same time.
        """
        values = self.values[drawn]
        starts = np.unique(values)[1:]
        if not len(starts):
            mend = "name another column with --time, or leave it out"
            raise BadInput(f"every row has the same {self.column!r}", where=self.path, mend=mend)
        tested = len(values) - np.searchsorted(np.sort(values), starts)
        in_test = values >= starts[np.argmin(np.abs(tested - count))]
        return drawn[~in_test], drawn[in_test]

    def uneven(self, drawn: Rows, test: Rows, count: int) -> tuple[Finding, ...]:
        """Return a warning if rows of equal time make the test part far larger or smaller than requested; else nothing.

        Args:
            drawn: int64 [n], the indices of the rows that were split.
            test: int64 [tests], the indices of the resulting test rows.
            count: the requested number of test rows.
        """
        if count / _FAR_FROM_WISHED <= len(test) <= _FAR_FROM_WISHED * count:
            return ()
        values, sizes = np.unique(self.values[drawn], return_counts=True)
        cell = self.cells[int(drawn[np.argmax(self.values[drawn] == values[sizes.argmax()])])]
        text = (
            f"{len(test):,} of {len(drawn):,} rows are tested on, where {count:,} were wished: rows of one "
            f"{self.column!r} are on one side, and {sizes.max():,} rows are of {cell}."
        )
        numbers = {"tested": len(test), "wished": count, "largest": int(sizes.max()), "time": cell}
        return (Finding("warning.time_ties", text, numbers),)

    def finding(self, train: Rows, test: Rows) -> Finding:
        """Return a finding with the first and the last time of the training rows, and of the test rows.

        Args:
            train: int64 [n], the training rows, indices of `values`.
            test: int64 [tests], the test rows, indices of `values`.
        """
        first, last = (self._cell(train, latest=latest) for latest in (False, True))
        begin, end = (self._cell(test, latest=latest) for latest in (False, True))
        text = (
            f"Split by {self.column!r}: learned from {len(train):,} rows of {first} to {last}, tested on the "
            f"{len(test):,} later ones, of {begin} to {end}. Intervals hold for other texts of that later time; how "
            "far scores change from one time to the next, a single split does not show."
        )
        numbers = {"column": self.column, "train": [first, last], "test": [begin, end]}
        return Finding("warning.time", text, numbers)

    def _cell(self, rows: Rows, *, latest: bool) -> str:
        values = self.values[rows]
        return self.cells[int(rows[values.argmax() if latest else values.argmin()])]


def _read(cell: str) -> tuple[str, float]:
    """Return (kind of time in a cell, time): a finite number as it is, a date as seconds since 1970.

    The kind is "", and the time 0, if the cell holds neither a number nor a date.

    >>> _read("7.5"), _read("1970-01-02"), _read("1970-01-01T01:00+01:00"), _read("31.3.2024")[0]
    (('a number', 7.5), ('a date', 86400.0), ('a date and time with a time zone', 0.0), '')
    """
    try:
        number = float(cell)
    except ValueError:
        pass
    else:
        return ("a number", number) if math.isfinite(number) else ("", 0.0)
    cell = _SLASHES.sub(r"\1-\2-\3", cell)
    kind = _KINDS.get(len(cell), "a date and time")
    if quarter := _QUARTER.fullmatch(cell):
        kind, cell = "a quarter", f"{quarter[1]}-{3 * int(quarter[2]) - 2:02}"
    elif week := _WEEK.fullmatch(cell):
        kind, cell = "a week", week[1]
    try:
        date = datetime.fromisoformat(f"{cell}-01" if len(cell) == _MONTH else cell)
    except ValueError:
        return "", 0.0
    if date.tzinfo is None:
        return kind, (date.replace(tzinfo=UTC) - _EPOCH).total_seconds()
    return "a date and time with a time zone", (date - _EPOCH).total_seconds()


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
