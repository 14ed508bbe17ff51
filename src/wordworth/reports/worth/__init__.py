"""The page of a `worth` record: is context worth it here, and what is the least that suffices?"""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.figure import pointers
from wordworth.reports.html import document
from wordworth.reports.worth import cost, decision_map, ladder, learning_curves, slices, static_share
from wordworth.reports.worth.caveats import caveats
from wordworth.reports.worth.examples import sides
from wordworth.reports.worth.method import method
from wordworth.reports.worth.verdict import verdict
from wordworth.reports.worth.view import Study


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, the evidence, the caveats, the method, in that order."""
    study = Study.of(record)
    answer = verdict(study)
    parts = [part.figure(study) for part in (learning_curves, decision_map, cost, slices, static_share)]
    figures = [figure for figure in parts if figure is not None]
    return document(
        "worth.html.j2",
        title=f"{answer.headline} · {study.data['name']}",
        answer=answer,
        figures={figure.name: figure for figure in figures},
        ladder=ladder.ladder(study),
        ladder_notes=ladder.notes(study),
        folded_tables=[table for table in (ladder.multiples(study), ladder.other_metrics(study)) if table is not None],
        sides=sides(study),
        said_of_tables=study.sentences("static"),
        doubts=caveats(study),
        method=method(study),
        pointers=pointers(figures),
    )
