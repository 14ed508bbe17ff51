"""The page of a `finetune` record: how well the encoder learned the task, how much seeds differ, and where it errs."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.finetune import confusion, examples, runs
from wordworth.reports.finetune.header import header
from wordworth.reports.finetune.view import View
from wordworth.reports.number_format import count, finite
from wordworth.reports.page import machine, render_page, settings, sources, time_spent
from wordworth.reports.tables import Grid, plain

_PARTS = {"train": "training", "dev": "dev (model selection)", "test": "test", "cut": "truncated texts"}


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, the runs, the errors, the caveats, the method, in that order."""
    view = View.of(record)
    figures = [figure for figure in (runs.seeds(view), runs.learning_curves(view), confusion.figure(view)) if figure]
    return render_page(
        "finetune.html.j2",
        view,
        header(view),
        figures=figures,
        method=(settings(view), _parts(view), sources(view), machine(view), time_spent(view, "run", "runs")),
        charts={figure.name: figure for figure in figures},
        runs=runs.table(view),
        metrics=runs.metrics(view),
        classes=confusion.classes(view),
        groups=examples.groups(view),
        legend=examples.legend(view),
    )


def _parts(view: View) -> Grid:
    rows = [(words, count(finite(view.data.get(name)))) for name, words in _PARTS.items()]
    return plain("Data", ("part", "examples"), rows)
