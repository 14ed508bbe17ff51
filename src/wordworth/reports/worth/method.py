"""The method section: method in plain words, settings, data with hashes, classes, versions, machine, time spent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wordworth.reports.number_format import ABSENT, count, finite
from wordworth.reports.page import machine, settings, sources, time_spent
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, plain
from wordworth.reports.worth.record_view import WorthView

_LENGTHS = (("words_median", "median words of a text"), ("words_p95", "words that 19 of 20 texts stay under"),
            ("words_max", "words of the longest text"))  # fmt: skip


def method_tables(view: WorthView) -> tuple[Grid, ...]:
    """Return the tables of settings, data, versions and machine, with everything that is needed to repeat the study.

    Args:
        view: the record of the study, as its page reads it.
    """
    return (
        settings(_with_settings(view)),
        _data(view),
        sources(view),
        _classes(view),
        _preregistration(view),
        machine(view),
        time_spent(view, "stage"),
    )


def _with_settings(view: WorthView) -> WorthView:
    """Return a copy of the view in which settings that the user left open have the values that were used."""
    requested = view.settings
    used = {name: value for name, value in _chosen(view).items() if name in requested and requested[name] in (None, [])}
    if "folds" in requested and "folds" in view.data:
        used["folds"] = f"{view.data['folds']} (as many as seeds)"
    if "test_share" in requested:
        used["test_share"] = _share(view)
    return replace(view, plain={**view.plain, "settings": {**requested, **used}})


def _chosen(view: WorthView) -> dict[str, Any]:
    """Return setting -> value that the study chose: kind, metric, guessed columns, rows used under the limit."""
    by_name = {finding["name"]: finding["numbers"] for finding in (*view.findings("method"), *view.findings("warning"))}
    columns: Row = by_name.get("method.columns") or by_name.get("warning.columns") or {}
    limited = by_name.get("warning.limit", {})
    rows = limited.get("learned", limited.get("used"))
    chosen = {"kind": view.data["kind"], "metric": view.data["metric"], **columns, "limit": rows}
    return {name: f"{value} (not named)" for name, value in chosen.items() if value is not None}


def _share(view: WorthView) -> str:
    """Return in words the share of test rows, or why it was not used."""
    wanted, train, test = (
        finite(value) for value in (view.settings["test_share"], *map(view.data.get, ("train", "test")))
    )
    if view.settings.get("test") is not None:
        return "not used: the test part was named"
    if (folds := finite(view.data.get("folds"))) is not None:
        return f"not used: every row is tested on, in {count(folds)} folds"
    if wanted is None or train is None or not test:
        return str(wanted)
    share = f"{test / (train + test):.2f}"
    return share if share == f"{wanted:.2f}" else f"{share} ({wanted:g} before the bounds on the size of a test part)"


def _parts(data: Row) -> list[tuple[str, str]]:
    return [(f"{name} part", count(finite(data.get(key)))) for name, key in (("training", "train"), ("test", "test"))]


def _folds(data: Row, folds: float | None) -> list[tuple[str, str]]:
    labels = count(finite(data.get("train")))
    return [
        ("rows, all of them tested on", count(finite(data.get("test")))),
        ("folds", f"{count(folds)}, learning from {labels} labels"),
    ]


def _data(view: WorthView) -> Grid:
    data = view.data
    rows = [
        ("name", str(data["name"])),
        ("kind of task", str(data["kind"])),
        ("metric", view.unit.title),
        *(_folds(data, finite(data["folds"])) if "folds" in data else _parts(data)),
        *((title, _words(finite(data.get(name)))) for name, title in _LENGTHS),
    ]
    if view.has_context:
        rows.append(("texts longer than the encoder's window", count(finite(data.get("windowed")))))
    return plain("Data", ("what", "value"), rows, numeric=False)


def _words(number: float | None) -> str:
    """Return a number of words, with a decimal only where it is not whole."""
    return ABSENT if number is None else f"{number:,.1f}".removesuffix(".0")


def _preregistration(view: WorthView) -> Grid:
    """Return the table of the plan that was frozen before the study; without rows where none was."""
    plan: Row = view.data.get("preregistration") or {}
    rows = [(title, str(plan[name])) for name, title in (("frozen_at", "frozen at"), ("sha256", "SHA-256")) if plan]
    rows += [("kept to", "yes" if plan["kept"] else "no")] if plan else []
    rows += [(row["entry"], f"{row['planned']} → {row['actual']}") for row in plan.get("differences") or ()]
    return plain("Preregistration", ("what", "value"), rows, numeric=False)


def _classes(view: WorthView) -> Grid:
    columns = (Column("label", numeric=False), Column("training texts"), Column("test texts"))
    rows = tuple(
        (Cell(str(row["name"])), *(Cell(count(finite(row[part])), finite(row[part])) for part in ("train", "test")))
        for row in view.rows("classes")
    )
    return Grid(f"Labels ({len(rows)})", columns, rows, sortable=True)
