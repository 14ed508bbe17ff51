"""The page of a `finetune` record: how well the encoder learned the task, how much seeds differ, and where it errs."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captions import with_captions
from wordworth.reports.finetune import error_analysis, runs
from wordworth.reports.finetune.captions import captions
from wordworth.reports.finetune.view import FinetuneView, header
from wordworth.reports.number_format import count, finite
from wordworth.reports.page import machine, render_page, settings, sources, time_spent
from wordworth.reports.tables import Grid, plain

_PARTS = {"train": "training", "dev": "dev (model selection)", "test": "test", "cut": "truncated texts"}


def page(record: Record) -> str:
    """Return the page: the answer, the runs, the errors, the caveats, the method, in that order."""
    view = FinetuneView.of(with_captions(record, captions))
    figures = [
        figure for figure in (runs.seeds(view), runs.learning_curves(view), error_analysis.confusion(view)) if figure
    ]
    return render_page(
        "finetune.html.j2",
        view,
        header(view),
        figures=figures,
        method=(settings(view), _parts(view), sources(view), machine(view), time_spent(view, "run", "runs")),
        charts={figure.name: figure for figure in figures},
        runs=runs.table(view),
        metrics=runs.metrics(view),
        classes=error_analysis.classes(view),
        groups=error_analysis.groups(view),
        legend=error_analysis.legend(view),
    )


def _parts(view: FinetuneView) -> Grid:
    rows = [(words, count(finite(view.data.get(name)))) for name, words in _PARTS.items()]
    return plain("Data", ("part", "examples"), rows)
