"""The method section: the method in plain words, settings, parts of the data, files, versions, time."""

from __future__ import annotations

from wordworth.reports.finetune.view import View
from wordworth.reports.method_section import Method, machine, settings, sources, time_spent
from wordworth.reports.number_format import count, finite
from wordworth.reports.tables import Grid, plain


def method(view: View) -> Method:
    """Everything that is needed to repeat the study."""
    return Method.of(
        view, settings(view), _parts(view), sources(view), machine(view), time_spent(view, "run", of="runs")
    )


def _parts(view: View) -> Grid:
    names = {"train": "training", "dev": "dev (model selection)", "test": "test", "cut": "truncated texts"}
    rows = [(words, count(finite(view.data.get(name)))) for name, words in names.items()]
    return plain("Data", ("part", "examples"), rows)
