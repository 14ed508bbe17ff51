"""The frame of every page: header with key figures, the sections of the kind of record, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wordworth.records import Record
from wordworth.reports.figure import Figure, pointers
from wordworth.reports.html import document
from wordworth.reports.number_format import count, finite, seconds
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import CellMakers, Grid, plain, row_table, value
from wordworth.sentence_formatting import quoted

_ROLES = {"text": "text", "text_b": "second text", "text_c": "third text", "label": "label"}
"""Role of a column -> its name in the header, in the order in which the header names them."""


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A tile in the header of a page, with a title, a number in large type, and a line of text under the number."""

    title: str
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ReportHeader:
    """The header of a page.

    Attributes:
        question: what was studied, such as the kind and the data.
        headline: the answer in one line.
        sentences: the answer in sentences.
        key_figures: tiles with key figures.
        title: title of the browser's window; if empty, the headline and the name of the data are used.
    """

    question: str
    headline: str
    sentences: tuple[str, ...]
    key_figures: tuple[KeyFigure, ...] = ()
    title: str = ""


def render_page(
    template: str,
    view: RecordView,
    header: ReportHeader,
    *,
    figures: Sequence[Figure] = (),
    method: Sequence[Grid] = (),
    **slots: Any,  # noqa: ANN401 - a template takes any value
) -> str:
    """Return the page of a record as one self-contained HTML document.

    Args:
        template: a template of `templates/`, which extends `page.html.j2`.
        view: the record.
        header: the header of the page.
        figures: all figures of the page.
        method: tables of the method section; empty tables are left out.
        slots: further values for the template.
    """
    question = " · ".join(filter(None, (header.question, _guessed_columns(view))))
    return document(
        template,
        title=header.title or f"{header.headline} · {view.data['name']}",
        header=replace(header, question=question),
        made=view.made,
        warnings=view.sentences("warning"),
        method=view.sentences("method"),
        method_tables=[grid for grid in method if grid.rows],
        pointers=pointers(figures),
        **slots,
    )


def _guessed_columns(view: RecordView) -> str:
    """Return the text that names the columns that were guessed; empty if the user named all columns."""
    rows = [row for row in (*view.findings("warning"), *view.findings("method")) if row["name"].endswith(".columns")]
    guessed = {role: name for row in rows for role, name in row["numbers"].items()}
    named = [f"{words} {quoted(str(guessed[role]))}" for role, words in _ROLES.items() if role in guessed]
    return f"guessed columns: {', '.join(named)}" if named else ""


def verdict_header(view: RecordView, question: str, key_figures: Sequence[KeyFigure] = ()) -> ReportHeader:
    """Return the header of a page whose answer is the record's verdict.

    Args:
        view: the record.
        question: what was studied.
        key_figures: tiles with key figures.
    """
    finding = view.findings("verdict")[0]
    return ReportHeader(
        question, str(finding["numbers"]["headline"]), tuple(str(finding["text"]).split("\n")), tuple(key_figures)
    )


def simple_page(
    record: Record,
    headline: str,
    groups: Sequence[tuple[str, Sequence[Figure]]],
    tables: Sequence[Grid] = (),
    *,
    question: str = "",
    timed: Iterable[str] = (),
) -> str:
    """Return a page with figures under headings, tables, and the record's verdict, warnings and method.

    Args:
        record: the record.
        headline: the answer in one line.
        groups: headings, each with its figures.
        tables: tables below the figures.
        question: what was studied, above the headline; if empty, the kind of the record and the name of the data.
        timed: sentences on measured times, which follow the sentences of the verdict.
    """
    view = RecordView.of(record)
    subject = " · ".join(filter(None, (record.kind, str(record.data.get("name", "")))))
    lines = (*(line for text in view.sentences("verdict") for line in text.split("\n")), *timed)
    header = ReportHeader(question or subject, headline, lines, title=f"{headline} · {subject}")
    figures = [figure for _, own in groups for figure in own]
    method = (settings(view), machine(view), time_spent(view, "part"))
    return render_page("sections.html.j2", view, header, figures=figures, method=method, groups=groups, tables=tables)


def settings(view: RecordView) -> Grid:
    """Return the table of the record's settings, by name."""
    return _pairs("Settings", view.settings)


def sources(view: RecordView, unit: str = "rows") -> Grid:
    """Return the table of the files that were read: path, number of rows, and SHA-256.

    Args:
        view: the record.
        unit: noun for the rows, such as `texts`; it is the title of the column of counts.
    """
    cells: CellMakers = {"file": "path", unit: value("rows", count), "SHA-256": "sha256"}
    return row_table("Files", cells, view.data.get("sources") or (), words=("SHA-256",))


def machine(view: RecordView) -> Grid:
    """Return the table of the record's environment: versions, machine, date, and the record's kind and version."""
    record = {"record": f"{view.plain['kind']}, version {view.plain['version']}"}
    return _pairs("Versions and machine", {**view.plain["environment"], **record})


def time_spent(view: RecordView, unit: str, timings: str = "seconds") -> Grid:
    """Return the table of the seconds that each part of a study took.

    Args:
        view: the record.
        unit: noun for a part, such as model or run.
        timings: name of the entry of `Record.timings` that has the seconds of each part.
    """
    spent = view.plain["timings"].get(timings) or {}
    rows = [(name, seconds(finite(value))) for name, value in spent.items()]
    return plain(f"Time spent on each {unit}", (unit, "time"), rows)


def _pairs(caption: str, values: Mapping[str, Any]) -> Grid:
    """Return a table with a row for each value; an inner object has a row for each key."""
    flat = [(name, inner) for name, value in values.items() for inner in _lines(value)]
    rows = [((f"{name}: {key}" if key else name).replace("_", " "), words) for name, (key, words) in flat]
    return plain(caption, ("name", "value"), rows, numeric=False)


def _lines(value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [(str(key), _words(inner)) for key, inner in value.items()]
    return [("", _words(value))]


def _words(value: object) -> str:
    """Write a value in plain words, with all its digits."""
    if value is None or value in ([], ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value)
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
