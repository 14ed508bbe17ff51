"""The page of a `worth` record: is context worth it here, and what is the least that does?"""

from __future__ import annotations

from wordworth.pages.document import document
from wordworth.pages.figure import pointers
from wordworth.pages.worth import cost, decision, ladder, learning, slices, static_share
from wordworth.pages.worth.doubt import doubts
from wordworth.pages.worth.examples import sides
from wordworth.pages.worth.method import method
from wordworth.pages.worth.study import Study
from wordworth.pages.worth.verdict import verdict
from wordworth.records import Record


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, the evidence, the doubt, the method, in that order."""
    study = Study.of(record)
    answer = verdict(study)
    found = [part.figure(study) for part in (learning, decision, cost, slices, static_share)]
    figures = [figure for figure in found if figure is not None]
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
        doubts=doubts(study),
        method=method(study),
        pointers=pointers(figures),
    )
