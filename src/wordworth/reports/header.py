"""The head of a page that holds only its answer."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.key_figure import KeyFigure


@dataclass(frozen=True, slots=True)
class Answer:
    """The question, when and where the record was made, and the answer as a line, as sentences and as figures."""

    asked: str
    made: str
    headline: str
    sentences: str
    tiles: tuple[KeyFigure, ...]
