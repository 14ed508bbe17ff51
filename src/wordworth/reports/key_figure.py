"""A tile: one large figure at the head of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A figure's title, its value, and a line under it."""

    title: str
    value: str
    detail: str = ""
