"""The page of a `finetune` record: the score, the differences between seeds, learning curves, and an error analysis."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.finetune import error_analysis, runs, staged_transfer_tables
from wordworth.reports.finetune.record_view import FinetuneView
from wordworth.reports.number_format import count, finite, plus_minus, seconds
from wordworth.reports.page import KeyFigure, ReportHeader, machine, render_page, settings, sources, time_spent
from wordworth.reports.tables import Grid, plain

_PARTS = {"train": "training", "dev": "dev (model selection)", "test": "test", "cut": "truncated texts"}


def page(record: Record) -> str:
    """Return the page of a `finetune` record as HTML: the answer, the runs, the errors, warnings, and the method."""
    view = FinetuneView.of(record)
    figures = [
        figure for figure in (runs.seeds(view), runs.learning_curves(view), error_analysis.confusion(view)) if figure
    ]
    return render_page(
        "finetune.html.j2",
        view,
        _header(view),
        figures=figures,
        method=(settings(view), _parts(view), sources(view), machine(view), time_spent(view, "run", "runs")),
        charts={figure.name: figure for figure in figures},
        runs=runs.table(view),
        metrics=runs.metrics(view),
        controls=staged_transfer_tables.controls(view),
        stages=staged_transfer_tables.stages(view),
        classes=error_analysis.classes(view),
        groups=error_analysis.groups(view),
        legend=error_analysis.legend(view),
    )


def _parts(view: FinetuneView) -> Grid:
    rows = [(words, count(finite(view.data.get(name)))) for name, words in _PARTS.items()]
    return plain("Data", ("part", "examples"), rows)


def _header(view: FinetuneView) -> ReportHeader:
    """Return the head of the page."""
    findings, data = view.findings("verdict"), view.data
    things = view.task_type.wording.examples
    question = f"{data['name']} · {data['model']} · {count(finite(data['train']))} {things} for training"
    headline = str(view.verdict.get("headline", "No run ended."))
    return ReportHeader(question, headline, (str(findings[0]["text"]) if findings else "",), _tiles(view))


def _tiles(view: FinetuneView) -> tuple[KeyFigure, ...]:
    verdict, scores = view.verdict, view.rows("scores")
    main = scores[0] if scores else {}
    between = view.unit.interval(finite(main.get("low")), finite(main.get("high")))
    ended, runs = int(verdict.get("ended", 0)), len(view.runs)
    unfinished = runs - sum(run["state"] == "finished" for run in view.runs)
    deviation = finite(main.get("deviation"))
    spent = sum(finite(value) or 0.0 for value in (view.plain["timings"].get("runs") or {}).values())
    return (
        KeyFigure(
            f"{view.unit.title}, mean", view.unit.score(finite(main.get("mean"))), f"95 %: {between}" if between else ""
        ),
        KeyFigure(
            "spread over seeds",
            plus_minus(deviation),
            "standard deviation" if deviation is not None else "one run has none",
        ),
        KeyFigure(
            "runs that did not collapse",
            f"{runs - unfinished} of {runs}",
            f"{unfinished} collapsed or failed" if unfinished else (_against_baseline(view) if ended else ""),
        ),
        KeyFigure("time of a run", seconds(spent / runs if runs and spent else None), "on this machine"),
    )


def _against_baseline(view: FinetuneView) -> str:
    """Return how runs that did not collapse compare with a constant prediction or guessing, in words."""
    floor, mean = finite(view.verdict.get("baseline")), finite(view.verdict.get("mean"))
    if floor is None or mean is None or mean > floor:
        return "none says the same of all"
    return f"yet {view.unlearned} scores {view.unit.score(floor)}"
