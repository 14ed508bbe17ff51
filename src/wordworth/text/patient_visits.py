"""Visits of patients: each visit has a set of known medical codes of one kind, and codes of another kind to predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
PARTS = ("train", "valid", "test")
_COLUMNS = ("patient", "date", "kind", "code")
_PART = "part"
_FORM = "give a table with columns patient, date, kind and code, a row for each code of a visit"


@dataclass(frozen=True, slots=True)
class CodeSets:
    """The medical codes of one kind, such as diagnoses, that each visit of a patient has.

    Attributes:
        kind: the kind of code, as the file names it.
        codes: all codes that occur, sorted.
        flags: bool [visits, codes], whether each visit has each code.
        locations: the file and line of the first row with each code, for errors; empty if the visits are in no file.
    """

    kind: str
    codes: tuple[str, ...]
    flags: Flags
    locations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilterStep:
    """A step of filtering visits, with the numbers of rows, visits and patients left after the step."""

    step: str
    rows: int
    visits: int
    patients: int


@dataclass(frozen=True)
class Visits:
    """Visits of patients to a hospital, sorted by patient and date, each with input codes and target codes.

    Attributes:
        name: name of the file.
        sha256: SHA-256 of the file.
        patients: identifier of each patient.
        patient: int64 [visits], the index of each visit's patient, ascending.
        inputs: the codes from which targets are predicted.
        targets: the codes to predict.
        parts: the part of each patient: train, valid or test; None if the file names no parts.
        filters: the numbers of rows, visits and patients left after each filter, in order.
    """

    name: str
    sha256: str
    patients: tuple[str, ...]
    patient: Numbers
    inputs: CodeSets
    targets: CodeSets
    parts: tuple[str, ...] | None
    filters: tuple[FilterStep, ...]

    @cached_property
    def first(self) -> Numbers:
        """For each visit, the index of the first visit of its patient, int64 [visits]."""
        return np.searchsorted(self.patient, self.patient, side="left")

    @property
    def predicted(self) -> Flags:
        """Whether the target codes of each visit are predicted, bool [visits]: False for each patient's first visit."""
        return self.first < np.arange(len(self.patient))


@dataclass(frozen=True, slots=True)
class _Event:
    patient: str
    date: str
    kind: str
    code: str
    row: int


def read_visits(path: Path | str, input_kind: str, target_kind: str) -> Visits:
    """Read visits of patients: all codes of a patient at one date are a visit.

    Visits that lack input codes or target codes are left out.

    Args:
        path: a table with columns `patient`, `date`, `kind` and `code`, and optionally `part` (train, valid or test).
        input_kind: the kind of the input codes.
        target_kind: the kind of the codes to predict.

    Raises:
        BadInput: a column is missing, a cell is empty or not a date, no row has one of the kinds, no visit has codes of
            both kinds, or a patient is in two parts; the error names the row.
    """
    if input_kind == target_kind:
        mend = "name two kinds of codes"
        raise BadInput(f"the kind {input_kind!r} is both known and predicted", where="--target-kind", mend=mend)
    table = read_rows(path)
    events = _events(table)
    _require_kinds(events, (input_kind, target_kind), table)
    parts = _parts(events, table)
    steps = [_filter_step("in the file", events)]
    events = [event for event in events if event.kind in (input_kind, target_kind)]
    steps.append(_filter_step(f"of kind {input_kind} or {target_kind}", events))
    kinds: dict[tuple[str, str], set[str]] = {}
    for event in events:
        kinds.setdefault((event.patient, event.date), set()).add(event.kind)
    events = [event for event in events if len(kinds[event.patient, event.date]) == 2]  # noqa: PLR2004 - both
    steps.append(_filter_step("in visits with both kinds", events))
    if not events:
        what = f"no visit has codes of both kinds, {input_kind} and {target_kind}"
        raise BadInput(what, where=table.path, mend="give the codes of a visit the same patient and date")
    visits = sorted({(event.patient, event.date) for event in events})
    patients = tuple(dict.fromkeys(patient for patient, _ in visits))
    number = {patient: index for index, patient in enumerate(patients)}
    return Visits(
        Path(table.path).name,
        table.sha256,
        patients,
        np.array([number[patient] for patient, _ in visits], dtype=np.int64),
        _code_sets(input_kind, events, visits, table),
        _code_sets(target_kind, events, visits, table),
        None if parts is None else tuple(parts[patient] for patient in patients),
        tuple(steps),
    )


def _events(table: TextTable) -> list[_Event]:
    """Return every row of the file, its date as YYYY-MM-DD."""
    events = list[_Event]()
    for row, cells in enumerate(zip(*(table.column(name) for name in _COLUMNS), strict=True)):
        empty = next((name for name, cell in zip(_COLUMNS, cells, strict=True) if not cell.strip()), None)
        if empty is not None:
            what = "a visit without a code" if empty == "code" else f"a row without a {empty}"
            raise BadInput(what, where=table.where(row), mend=f"leave such rows out, or {_FORM}")
        patient, date, kind, code = (cell.strip() for cell in cells)
        try:
            day = datetime.fromisoformat(date).date().isoformat()
        except ValueError as error:
            mend = "write dates as 2020-01-31"
            raise BadInput(f"{date!r:.40} is no date", where=table.where(row), mend=mend) from error
        events.append(_Event(patient, day, kind, code, row))
    return events


def _require_kinds(events: Sequence[_Event], kinds: Sequence[str], table: TextTable) -> None:
    there = sorted({event.kind for event in events})
    for kind, flag in zip(kinds, ("--input-kind", "--target-kind"), strict=True):
        if kind not in there:
            mend = f"name a kind of this file with {flag}; {nearest(kind, there)}"
            raise BadInput(f"no code is of the kind {kind!r}", where=table.path, mend=mend)


def _parts(events: Sequence[_Event], table: TextTable) -> dict[str, str] | None:
    """Return patient -> part (train, valid or test); None if the file has no column of parts."""
    if _PART not in table.columns:
        return None
    parts: dict[str, str] = {}
    for row, (event, cell) in enumerate(zip(events, table.columns[_PART], strict=True)):
        if cell not in PARTS:
            raise BadInput(f"no part {cell!r}", where=table.where(row), mend=nearest(cell, PARTS))
        if parts.setdefault(event.patient, cell) != cell:
            what = f"patient {event.patient!r:.40} stands in two parts, {parts[event.patient]} and {cell}"
            raise BadInput(what, where=table.where(row), mend="give all visits of a patient the same part")
    return parts


def _filter_step(step: str, events: Sequence[_Event]) -> FilterStep:
    visits = {(event.patient, event.date) for event in events}
    return FilterStep(step, len(events), len(visits), len({patient for patient, _ in visits}))


def _code_sets(kind: str, events: Sequence[_Event], visits: Sequence[tuple[str, str]], table: TextTable) -> CodeSets:
    """Return the codes of one kind that each visit has.

    Args:
        kind: the kind of code.
        events: the rows of the file.
        visits: (patient, date) of each visit.
        table: the file, for the locations of codes.
    """
    pairs = {((event.patient, event.date), event.code) for event in events if event.kind == kind}
    first = {event.code: event.row for event in reversed(events) if event.kind == kind}
    codes = sorted(first)
    row: Mapping[tuple[str, str], int] = {visit: index for index, visit in enumerate(visits)}
    column = {code: index for index, code in enumerate(codes)}
    flags = np.zeros((len(visits), len(codes)), dtype=np.bool_)
    for visit, code in pairs:
        flags[row[visit], column[code]] = True
    return CodeSets(kind, tuple(codes), flags, tuple(table.where(first[code]) for code in codes))
