"""The page of a `senses` record: accuracy by layer, words to look at, and what explains self-similarity."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.figure import Figure, pointers
from wordworth.reports.html import document
from wordworth.reports.method_section import Method, machine, settings, sources, time_spent
from wordworth.reports.number_format import finite, unit
from wordworth.reports.senses import curves, explanations
from wordworth.reports.senses.answer import answer
from wordworth.reports.senses.explorer import explorer
from wordworth.reports.senses.separation import sense_separation
from wordworth.reports.senses.view import View
from wordworth.reports.tables import Grid, plain


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, curves by layer, the explorer, the caveats, the method."""
    view = View.of(record)
    head = answer(view)
    sense_figures = [*curves.senses(view), *curves.pairs(view)]
    groups = [("How far apart senses are", sense_separation(view))]
    groups += [("Why occurrences of a word differ", explanations.figures(view))]
    figures: list[Figure] = [*sense_figures, *(figure for _, group_figures in groups for figure in group_figures)]
    return document(
        "senses.html.j2",
        scripts=("explorer.js",),
        title=f"{head.headline} · {record.data['name']}",
        answer=head,
        told=sense_figures,
        grey=curves.drawn_published(view),
        published=_published(view),
        explorer=explorer(view),
        groups=[group for group in groups if group[1]],
        doubts=view.sentences("warning"),
        method=_method(view),
        pointers=pointers(figures),
    )


def _published(view: View) -> Grid:
    score = unit("accuracy").score
    rows = [
        (
            str(row["data"]),
            str(row["system"]),
            score(finite(row["score"])),
            "the same" if row["same_test"] else "different: not comparable",
            str(row["source"]),
        )
        for row in view.rows("published")
    ]
    return plain("Published figures", ("set", "system", "%", "test items", "source"), rows, numeric=False)


def _method(view: View) -> Method:
    return Method.of(
        view,
        settings(view),
        sources(view, counted="sentences or rows"),
        machine(view),
        time_spent(view, "model"),
    )
