"""What all charts share: their size, axes, root element, and the points that answer a pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.scales import Scale, thinned
from wordworth.reports.charts.svg import Markup, tag, text_width

SMALL = 12.0
"""Font size in charts, in pixels."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a drawing in pixels. Each chart is drawn twice, so that its text is legible on a phone too."""

    name: str
    width: int
    height: int

    @property
    def narrow(self) -> bool:
        """True for a phone."""
        return self.width < 420  # noqa: PLR2004 - between a phone held upright and anything wider


@dataclass(frozen=True, slots=True)
class HoverPoint:
    """A point that answers a pointer or an arrow key: its pixel, a title, and lines with the style of their rung."""

    x: float
    y: float
    title: str
    lines: tuple[tuple[SeriesStyle | None, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG element and its stops; if `across`, only the horizontal distance decides which stop is nearest."""

    svg: Markup
    stops: tuple[HoverPoint, ...]
    across: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """The edges of the plot inside a drawing, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def across(self, low: float, high: float, *, log: bool = False) -> Scale:
        """A horizontal scale that fills the box."""
        return Scale(low, high, self.left, self.right, log=log)

    def upward(self, low: float, high: float, *, log: bool = False) -> Scale:
        """A vertical scale that fills the box, small values at the bottom."""
        return Scale(low, high, self.bottom, self.top, log=log)


def root(size: Size, label: str, *children: Markup) -> Markup:
    """The root element; `label` is the id of the title on the page and, with `-text`, of the description."""
    cross = tag("line", class_="cross", x1=0, y1=0, x2=0, y2=0)
    return tag(
        "svg",
        Markup("").join(children),
        cross,
        class_=size.name,
        viewBox=f"0 0 {size.width} {size.height}",
        role="img",
        tabindex=0,
        aria_labelledby=label,
        aria_describedby=f"{label}-text",
    )


def bottom_axis(box: Box, scale: Scale, ticks: Sequence[float], named: Callable[[float], str], *, title: str) -> Markup:
    """Ticks below the box with as many labels as fit, and under them the axis title with its unit.

    Args:
        box: the plot.
        scale: maps values to pixels.
        ticks: the values to mark.
        named: writes a value.
        title: title of the axis.
    """
    names = [named(tick) for tick in ticks]
    visible = thinned([scale(tick) for tick in ticks], [text_width(name, SMALL) for name in names])
    marks = [tag("line", x1=scale(t), x2=scale(t), y1=box.bottom, y2=box.bottom + 4, class_="tick") for t in ticks]
    labels = [
        tag("text", names[k], x=scale(ticks[k]), y=box.bottom + 18, class_="tick-label", text_anchor="middle")
        for k in visible
    ]
    line = tag("line", x1=box.left, x2=box.right, y1=box.bottom, y2=box.bottom, class_="axis")
    half = text_width(title, SMALL) / 2
    middle = max(half, min((box.left + box.right) / 2, box.right + 10 - half))
    below = tag("text", title, x=middle, y=box.bottom + 38, class_="axis-title", text_anchor="middle")
    return Markup("").join([line, *marks, *labels, below])


def left_axis(box: Box, scale: Scale, ticks: Sequence[float], named: Callable[[float], str], *, title: str) -> Markup:
    """Thin rules across the box with labels to their left, and the axis title above the axis, written horizontally.

    Args:
        box: the plot.
        scale: maps values to pixels.
        ticks: the values to mark.
        named: writes a value.
        title: title of the axis.
    """
    rules = [tag("line", x1=box.left, x2=box.right, y1=scale(t), y2=scale(t), class_="grid") for t in ticks]
    labels = [
        tag("text", named(t), x=box.left - 7, y=scale(t) + 4, class_="tick-label", text_anchor="end") for t in ticks
    ]
    above = tag("text", title, x=0, y=box.top - 12, class_="axis-title")
    return Markup("").join([*rules, *labels, above])


def whisker(x: float, low: float, high: float) -> Markup:
    """A vertical interval at x with short caps."""
    stem = tag("line", x1=x, x2=x, y1=low, y2=high, class_="whisker")
    caps = [tag("line", x1=x - 3, x2=x + 3, y1=end, y2=end, class_="whisker") for end in (low, high)]
    return Markup("").join([stem, *caps])


def level_whisker(y: float, low: float, high: float) -> Markup:
    """A horizontal interval at y with short caps."""
    stem = tag("line", x1=low, x2=high, y1=y, y2=y, class_="whisker")
    caps = [tag("line", x1=end, x2=end, y1=y - 3, y2=y + 3, class_="whisker") for end in (low, high)]
    return Markup("").join([stem, *caps])
