"""The page of a `words` record: who leads, every benchmark by table, what was counted, the caveats, the method."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.figure import pointers
from wordworth.reports.html import document
from wordworth.reports.method_section import Method, machine, settings, time_spent
from wordworth.reports.word_benchmarks.answer import answer
from wordworth.reports.word_benchmarks.charts import figures
from wordworth.reports.word_benchmarks.tables import counted, files, gaps, leads, means, misjudged
from wordworth.reports.word_benchmarks.view import View


def page(record: Record) -> str:
    """One self-contained HTML document."""
    view = View.of(record)
    head, drawn = answer(view), figures(view)
    return document(
        "words.html.j2",
        title=f"{head.headline} · word benchmarks",
        answer=head,
        figures=drawn,
        counted=counted(view),
        leads=leads(view),
        gaps=gaps(view),
        means=means(view),
        misjudged=misjudged(view),
        doubts=view.sentences("warning"),
        method=Method.of(view, settings(view), files(view), machine(view), time_spent(view, "set")),
        pointers=pointers(drawn),
    )
