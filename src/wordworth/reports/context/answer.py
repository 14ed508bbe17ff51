"""The head of the page: the question, the answer in a line, and how to read the panels."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.context.view import View
from wordworth.reports.number_format import count, finite
from wordworth.reports.tables import Cell, Column, Grid


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as a line and as sentences (one for each of several models), and the models."""

    asked: str
    made: str
    headline: str
    sentences: tuple[str, ...]
    models: Grid


def answer(view: View) -> Answer:
    """The head of the page."""
    data, finding = view.data, view.findings("verdict")[0]
    question = f"{data['name']} · {count(finite(data['sentences']))} different sentences"
    rows = [
        (
            str(row["model"]),
            str(row["layers"]),
            str(row["width"]),
            count(finite(row["words"])),
            count(finite(row["occurrences"])),
            str(row["unit"]),
        )
        for row in view.models
    ]
    heads = ("model", "layers", "hidden size", "words studied", "occurrences", "what counts as a word")
    columns = tuple(Column(head, numeric=0 < index < len(heads) - 1) for index, head in enumerate(heads))
    models = Grid("Models", columns, tuple(tuple(Cell(text) for text in row) for row in rows))
    return Answer(
        question, view.made, str(finding["numbers"]["headline"]), tuple(str(finding["text"]).split("\n")), models
    )
