"""The head of the page: the question, the score in a line, two sentences, four figures."""

from __future__ import annotations

from wordworth.reports.finetune.view import View
from wordworth.reports.number_format import ABSENT, count, finite, seconds
from wordworth.reports.page import KeyFigure, ReportHeader


def header(view: View) -> ReportHeader:
    """The head of the page."""
    findings, data = view.findings("verdict"), view.data
    things = view.task_type.wording.examples
    question = f"{data['name']} · {data['model']} · {count(finite(data['train']))} {things} for training"
    headline = str(view.verdict.get("headline", "No run ended."))
    return ReportHeader(question, headline, (str(findings[0]["text"]) if findings else "",), _tiles(view))


def _tiles(view: View) -> tuple[KeyFigure, ...]:
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
            ABSENT if deviation is None else f"± {100 * deviation:.1f}",
            "standard deviation" if deviation is not None else "one run has none",
        ),
        KeyFigure(
            "runs that did not collapse",
            f"{runs - unfinished} of {runs}",
            f"{unfinished} collapsed or failed" if unfinished else (_against_baseline(view) if ended else ""),
        ),
        KeyFigure("time of a run", seconds(spent / runs if runs and spent else None), "on this machine"),
    )


def _against_baseline(view: View) -> str:
    """How runs that did not collapse compare with a constant prediction or guessing."""
    floor, mean = finite(view.verdict.get("baseline")), finite(view.verdict.get("mean"))
    if floor is None or mean is None or mean > floor:
        return "none says the same of all"
    return f"yet {view.unlearned} scores {view.unit.score(floor)}"
