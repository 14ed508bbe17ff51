"""The page of a `worth` record: is context worth it here, and what is the least that suffices?"""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.page import render_page
from wordworth.reports.worth import cost, decision_map, ladder, learning_curves, slices, static_share
from wordworth.reports.worth.caveats import caveats
from wordworth.reports.worth.examples import sides
from wordworth.reports.worth.header import gravest_warnings, header
from wordworth.reports.worth.method import method_tables
from wordworth.reports.worth.view import Study


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, the evidence, the caveats, the method, in that order."""
    study = Study.of(record)
    parts = [part.figure(study) for part in (learning_curves, decision_map, cost, slices, static_share)]
    figures = [figure for figure in parts if figure is not None]
    return render_page(
        "worth.html.j2",
        study,
        header(study),
        figures=figures,
        method=method_tables(study),
        figures_of=study.title(study.chosen),
        gravest=gravest_warnings(study),
        charts={figure.name: figure for figure in figures},
        ladder=ladder.ladder(study),
        ladder_notes=ladder.notes(study),
        folded_tables=[table for table in (ladder.multiples(study), ladder.other_metrics(study)) if table is not None],
        sides=sides(study),
        static_sentences=study.sentences("static"),
        caveats=caveats(study),
    )
