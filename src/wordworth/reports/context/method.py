"""The method section: the method in plain words, the measures with their nulls, settings, files, versions, time."""

from __future__ import annotations

from wordworth.reports.context.view import View
from wordworth.reports.method_section import Method, machine, settings, sources, time_spent
from wordworth.reports.tables import Cell, Grid, plain

_SETTING_NAMES = {
    "limit": "different sentences read at most",
    "contexts": "fewest different sentences of a word that counts",
    "first": "first words of sentences count",
    "pool": "occurrences drawn for the baseline and the space",
    "sample": "words drawn for what needs their vectors",
    "occurrences": "occurrences of each such word at most",
    "sentences": "sentences drawn for similarity within sentences, at most",
    "draws": "resampled sets behind each interval",
    "explorer": "words in the explorer at most",
    "word": "words requested for the explorer",
}
"""Descriptions of settings whose names do not explain themselves."""
_NO_LIMIT = ("limit", "none")


def method(view: View) -> Method:
    """Everything that is needed to repeat the study."""
    measures = [(str(r["measure"]), str(r["meaning"]), str(r["null"])) for r in view.rows("measures")]
    return Method.of(
        view,
        plain("Measures and their nulls", ("measure", "what it is", "its null"), measures, numeric=False),
        _settings(view),
        sources(view, counted="sentences"),
        machine(view),
        time_spent(view, "model"),
    )


def _settings(view: View) -> Grid:
    grid = settings(view)
    rows = tuple(
        (Cell(_SETTING_NAMES.get(name.text, name.text)), Cell("all") if (name.text, value.text) == _NO_LIMIT else value)
        for name, value in grid.rows
    )
    return Grid(grid.caption, grid.columns, rows)
