"""Read the records in docs/records and the pages of docs/, and write figures as the pages do."""

import json
from pathlib import Path

from wordworth.sentence_formatting import signed

DOCS = Path(__file__).parents[2] / "docs"


def page_text(page):
    """Return the text of a page of docs/ as it is."""
    return (DOCS / page).read_text(encoding="utf-8")


def unwrapped(page):
    """Return the text of a page of docs/ on one line, so that a claim may be wrapped anywhere."""
    return " ".join(page_text(page).split())


def record(name):
    """Return the content of a record."""
    return json.loads((DOCS / "records" / f"{name}.json").read_text(encoding="utf-8"))


def rows(name, table):
    """Return the rows of a table of a record, each as column -> value."""
    columns = record(name)["tables"][table]["columns"]
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def row(name, table, **wanted):
    """Return the only row of a table of a record that has the wanted values."""
    (match,) = (candidate for candidate in rows(name, table) if wanted.items() <= candidate.items())
    return match


def finding(name, title=None):
    """Return a finding of a record, the first without a title."""
    findings = record(name)["findings"]
    return next(candidate for candidate in findings if title in {None, candidate["name"]})


def median_and_range(measurements, digits=2):
    """Return the median of repeated measurements with the lowest and the highest, as text."""
    median, low, high = (f"{measurements[name]:.{digits}f}" for name in ("median", "low", "high"))
    return f"{median} ({low} to {high})"


def points(middle, low, high, digits=1):
    """Return a score in points with its interval, as text."""
    return f"{100 * middle:.{digits}f} ({100 * low:.{digits}f} to {100 * high:.{digits}f})"


def percent_of(middle, low, high):
    """Return a share in percent with its interval, as text."""
    return f"{100 * middle:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def change_with_interval(middle, low, high):
    """Return a change in points with its interval, all with signs, as text."""
    return f"{signed(middle)} ({signed(low)} to {signed(high)})"
