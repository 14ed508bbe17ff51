"""Reliability diagrams: the share of correct predictions by confidence, with the diagonal of perfect calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import (
    Box,
    Drawing,
    HoverPoint,
    Scale,
    Size,
    bottom_axis,
    left_axis,
    nice_ticks,
    plot_box,
    root,
    whisker,
)
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, tag
from wordworth.reports.number_format import count, fine_share, points_tick

_DASHES, _ROW, _SPARE = "2 3", 18, 0.02


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of texts that a classifier predicts with about the same confidence.

    Attributes:
        confidence: mean probability of the predicted class.
        right: share of correct predictions, 0 to 1.
        low, high: ends of the interval of that share.
        texts: number of texts.
    """

    confidence: float
    right: float
    low: float
    high: float
    texts: int


@dataclass(frozen=True, slots=True)
class Series:
    """A series of a reliability diagram: the bins of one kind of probabilities, such as calibrated probabilities.

    A `hollow` series has hollow markers and dashed intervals.
    """

    name: str
    bins: tuple[Bin, ...]
    hollow: bool = False


def draw(series: Sequence[Series], style: SeriesStyle, size: Size, label: str) -> Drawing:
    """Draw a reliability diagram: the share of correct predictions by confidence, on two axes with the same range.

    Args:
        series: at least one series, each with at least one bin.
        style: colour and marker of all series.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    box = plot_box(size, left=40, right=14)
    box = Box(box.left, box.top + _ROW * len(series), box.right, box.bottom)
    low = min(min(each.low, each.confidence) for of in series for each in of.bins)
    ends = max(0.0, low - _SPARE), 1.0
    x, y = box.across(*ends), box.upward(*ends)
    ticks = nice_ticks(*ends)
    parts = [
        left_axis(box, y, ticks, points_tick, title=""),
        tag("text", "how often right (%)", x=0, y=12, class_="axis-title"),
        bottom_axis(box, x, ticks, points_tick, title="how sure: mean probability of a bin (%)"),
        _diagonal(box, x, y),
        *(_legend(of, style, 12 + _ROW * (row + 1)) for row, of in enumerate(series)),
        *(_points(of, style, x, y) for of in series),
    ]
    stops = tuple(stop for of in series for stop in _stops(of, style, x, y))
    return Drawing(root(size, label, *parts), stops)


def _diagonal(box: Box, x: Scale, y: Scale) -> Markup:
    """Draw the diagonal, on which confidence equals the share of correct predictions, with a text on either side."""
    line = tag("line", x1=x(x.low), y1=y(x.low), x2=x(1.0), y2=y(1.0), class_="here")
    above = tag("text", "more often right than it is sure", x=box.left + 8, y=box.top + 14, class_="aside halo")
    below = tag("text", "surer than right", x=box.right - 6, y=box.bottom - 8, class_="aside halo", text_anchor="end")
    return line + above + below


def _legend(series: Series, style: SeriesStyle, y: float) -> Markup:
    mark = tag("g", marker(style, 6, y - 4, hollow=series.hollow), class_=style.css)
    return mark + tag("text", series.name, x=18, y=y)


def _points(series: Series, style: SeriesStyle, x: Scale, y: Scale) -> Markup:
    whiskers = [whisker(x(each.confidence), y(each.low), y(each.high)) for each in series.bins]
    dashed = tag("g", *whiskers, stroke_dasharray=_DASHES if series.hollow else None)
    dots = [marker(style, x(each.confidence), y(each.right), hollow=series.hollow) for each in series.bins]
    return tag("g", dashed, *dots, class_=style.css)


def _stops(series: Series, style: SeriesStyle, x: Scale, y: Scale) -> Iterator[HoverPoint]:
    for each in series.bins:
        lines = (
            (style, series.name),
            (None, f"right {fine_share(each.right)} ({fine_share(each.low)} to {fine_share(each.high)})"),
            (None, f"{count(each.texts)} texts"),
        )
        yield HoverPoint(x(each.confidence), y(each.right), f"{fine_share(each.confidence)} sure", lines)
