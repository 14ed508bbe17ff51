"""How it was done: method in plain words, settings, data with hashes, classes, versions, machine, time spent."""

from __future__ import annotations

from wordworth.pages.method import Method, machine, settings, sources, time_spent
from wordworth.pages.numbers import count, figures, finite
from wordworth.pages.tables import Cell, Column, Grid, plain
from wordworth.pages.worth.study import Study

_LENGTHS = (("words_median", "median words of a text"), ("words_p95", "words that 19 of 20 texts stay under"),
            ("words_max", "words of the longest text"))  # fmt: skip


def method(study: Study) -> Method:
    """Everything that is needed to do it again."""
    tables = (settings(study), _data(study), sources(study), _classes(study), machine(study))
    return Method.of(study, *tables, time_spent(study, "stage"))


def _data(study: Study) -> Grid:
    data = study.data
    rows = [
        ("name", str(data["name"])),
        ("kind of task", str(data["kind"])),
        ("metric", study.unit.title),
        ("training part", count(finite(data.get("train")))),
        ("test part", count(finite(data.get("test")))),
        *((title, figures(finite(data.get(name)), 3)) for name, title in _LENGTHS),
    ]
    if study.has_context:
        rows.append(("texts longer than the encoder's window", count(finite(data.get("windowed")))))
    return plain("Data", ("what", "value"), rows, numeric=False)


def _classes(study: Study) -> Grid:
    columns = (Column("label", numeric=False), Column("training texts"), Column("test texts"))
    rows = tuple(
        (Cell(str(row["name"])), *(Cell(count(finite(row[part])), finite(row[part])) for part in ("train", "test")))
        for row in study.rows("classes")
    )
    return Grid(f"Labels ({len(rows)})", columns, rows, sortable=True)
