"""The head of a page that has nothing but its answer in it."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.key_figure import KeyFigure


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, on what it was made, and the answer in a line, in sentences and in figures."""

    asked: str
    made: str
    headline: str
    sentences: str
    tiles: tuple[KeyFigure, ...]
