"""A score and its interval drawn inside a table cell, on one scale for all rows."""

from __future__ import annotations

from wordworth.reports.charts.axes import level_whisker
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale
from wordworth.reports.charts.svg import Markup, tag

_WIDTH, _HEIGHT = 108, 18


def scale(low: float, high: float) -> Scale:
    """The scale shared by the rows of one table."""
    return Scale(low, high, 6, _WIDTH - 6)


def draw(score: float, low: float | None, high: float | None, *, at: Scale, look: SeriesStyle) -> Markup:
    """Draw a score with its interval; a score outside the scale becomes an arrow at the edge.

    The numbers are beside the picture as text.

    Args:
        score: the score.
        low: lower end of its interval.
        high: upper end of its interval.
        at: the scale of the table.
        look: style of the rung.
    """
    middle = _HEIGHT / 2
    if not at.low <= score <= at.high:
        tip, back = (1, 7) if score < at.low else (_WIDTH - 1, _WIDTH - 7)
        shape = tag("polygon", points=f"{tip},{middle} {back},{middle - 4} {back},{middle + 4}", class_="marker")
    else:
        whole = low is not None and high is not None
        lines = level_whisker(middle, at(low), at(high)) if whole and low is not None and high is not None else ""
        shape = Markup("").join([lines, marker(look, at(score), middle, size=4)])
    return tag(
        "svg", shape, class_=f"interval {look.css}", viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width=_WIDTH, height=_HEIGHT,
        aria_hidden="true",
    )  # fmt: skip
