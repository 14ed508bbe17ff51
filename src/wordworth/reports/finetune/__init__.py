"""The page of a `finetune` record: how well the encoder learned the task, how much seeds differ, and where it errs."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.figure import pointers
from wordworth.reports.finetune import confusion, examples, runs, training_curves
from wordworth.reports.finetune.answer import answer
from wordworth.reports.finetune.method import method
from wordworth.reports.finetune.view import View
from wordworth.reports.html import document


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, the runs, the errors, the caveats, the method, in that order."""
    view = View.of(record)
    head = answer(view)
    figures = [figure for figure in (runs.figure(view), training_curves.figure(view), confusion.figure(view)) if figure]
    return document(
        "finetune.html.j2",
        title=f"{head.headline} · {view.data['name']}",
        answer=head,
        figures={figure.name: figure for figure in figures},
        runs=runs.table(view),
        metrics=runs.metrics(view),
        classes=confusion.classes(view),
        groups=examples.groups(view),
        legend=examples.legend(view),
        doubts=view.sentences("warning"),
        method=method(view),
        pointers=pointers(figures),
    )
