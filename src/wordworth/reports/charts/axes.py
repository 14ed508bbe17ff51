"""The parts that all charts share: scales from data to pixels, ticks, axes, intervals, and the frame of a drawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import Markup, fit, tag, text_width


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale that turns values into pixels: `low` into the pixel `start`, `high` into `end`; logarithmic if `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the pixel of a value; a value beyond an end gets the pixel of that end, to stay inside the frame."""
        bend: Callable[[float], float] = math.log if self.log else float
        if self.log and value <= 0:
            return self.start
        whole = bend(self.high) - bend(self.low)
        share = (bend(value) - bend(self.low)) / whole if whole else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def nice_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers for the ticks of an axis; their step is 1, 2 or 5 times a power of ten.

    Args:
        low: the smallest value on the axis.
        high: the largest value on the axis.
        count: about how many ticks.

    >>> nice_ticks(0.683, 0.812)
    [0.7, 0.72, 0.74, 0.76, 0.78, 0.8]
    """
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((power * factor for factor in (1, 2, 5, 10)), key=lambda size: abs(size - rough))
    first = math.ceil(low / step - 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return [round(step * multiple, digits) for multiple in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Return the powers of ten from `low` to `high`; if there are fewer than three, 1, 2 and 5 times each power.

    >>> log_ticks(8, 12000)
    [10.0, 100.0, 1000.0, 10000.0]
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1,), (1, 2, 5)):
        ticks = [factor * 10.0**power for power in powers for factor in factors]
        inside = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(inside) > 2:  # noqa: PLR2004 - two ticks don't show that an axis is logarithmic
            return inside
    return inside or [low, high]


def padded(values: Sequence[float], share: float = 0.06) -> tuple[float, float]:
    """Return the lowest and highest value, widened at both ends by a share of their distance."""
    low, high = min(values), max(values)
    room = (high - low) * share or abs(high) * share or 0.05  # five points around a score of 0
    return low - room, high + room


def padded_log(values: Sequence[float], factor: float = 1.6) -> tuple[float, float]:
    """Return the range of a logarithmic axis: the lowest value divided by `factor`, the highest multiplied by it."""
    return min(values) / factor, max(values) * factor


def thinned(pixels: Sequence[float], widths: Sequence[float], gap: float = 10) -> list[int]:
    """Return the indices of labels to draw so that none overlap; the one furthest right is always drawn.

    Args:
        pixels: centres of the labels.
        widths: widths of the labels in pixels.
        gap: least distance between two labels in pixels.
    """
    visible: list[int] = []
    edge = math.inf
    for index in sorted(range(len(pixels)), key=lambda index: -pixels[index]):
        if pixels[index] + widths[index] / 2 + gap <= edge:
            visible.append(index)
            edge = pixels[index] - widths[index] / 2
    return sorted(visible)


def spread_labels(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions for labels as near as possible (least squares) to the wanted ones and at least `gap` apart.

    The method is pool adjacent violators: after i * gap is subtracted from the i-th position, "at least `gap` apart"
    becomes "not decreasing". If the labels do not fit between `low` and `high`, the gap is made smaller.

    Args:
        wanted: the preferred positions, in pixels.
        gap: least distance between neighbours.
        low: smallest position.
        high: largest position.
    """
    if not wanted:
        return []
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    pools: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        mean, size = wanted[index] - rank * gap, 1
        while pools and pools[-1][0] > mean:
            before, count = pools.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        pools.append((mean, size))
    flat = [mean for mean, size in pools for _ in range(size)]
    ceiling = high - gap * (len(wanted) - 1)
    positions = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        positions[index] = min(max(flat[rank], low), ceiling) + rank * gap
    return positions


SMALL = 12.0
"""Font size in charts, in pixels."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a drawing in pixels, and its name: `wide` or `phone`.

    Each chart is drawn in both sizes, so that its text is legible on a phone too.
    """

    name: str
    width: int
    height: int

    @property
    def narrow(self) -> bool:
        """True for the size of a phone."""
        return self.width < 420  # noqa: PLR2004 - between a phone held upright and anything wider


@dataclass(frozen=True, slots=True)
class HoverPoint:
    """A point of a drawing with a tooltip, which a pointer or an arrow key opens.

    Attributes:
        x, y: position in pixels.
        title: first line of the tooltip.
        lines: further lines, each after the marker of its style, if it has one.
    """

    x: float
    y: float
    title: str
    lines: tuple[tuple[SeriesStyle | None, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as an SVG element, with the points that have tooltips.

    Attributes:
        svg: the element.
        stops: the points with tooltips; the tooltip of the point nearest to the pointer opens.
        across: whether the nearest point is found by horizontal distance alone.
    """

    svg: Markup
    stops: tuple[HoverPoint, ...]
    across: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """The edges of the plot area inside a drawing, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def across(self, low: float, high: float, *, log: bool = False) -> Scale:
        """Return a horizontal scale that fills the plot area.

        Args:
            low: the value at the left edge.
            high: the value at the right edge.
            log: whether the scale is logarithmic.
        """
        return Scale(low, high, self.left, self.right, log=log)

    def upward(self, low: float, high: float, *, log: bool = False) -> Scale:
        """Return a vertical scale that fills the plot area.

        Args:
            low: the value at the bottom.
            high: the value at the top.
            log: whether the scale is logarithmic.
        """
        return Scale(low, high, self.bottom, self.top, log=log)


def plot_box(size: Size, *, left: float, right: float) -> Box:
    """Return the plot area of a drawing, with margins for axes.

    Args:
        size: size of the drawing.
        left: pixels to the left of the plot.
        right: pixels to the right of the plot.
    """
    return Box(left=left, top=30, right=size.width - right, bottom=size.height - 46)


def root(size: Size, label: str, *children: Markup) -> Markup:
    """Return the outermost `svg` element of a drawing, linked to its title and its description on the page.

    Args:
        size: size of the drawing.
        label: id of the element with the title on the page; the id of the description is `label` followed by `-text`.
        children: the content.
    """
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
    """Draw ticks below the box with as many labels as fit, and under them the axis title with its unit.

    Args:
        box: the plot area.
        scale: the horizontal scale.
        ticks: the values to mark.
        named: function that writes a value as a label.
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
    """Draw a vertical axis: thin lines across the plot at its ticks, labels to their left, and the title above.

    Args:
        box: the plot area.
        scale: the vertical scale.
        ticks: the values to mark.
        named: function that writes a value as a label.
        title: title of the axis.
    """
    rules = [tag("line", x1=box.left, x2=box.right, y1=scale(t), y2=scale(t), class_="grid") for t in ticks]
    labels = [
        tag("text", named(t), x=box.left - 7, y=scale(t) + 4, class_="tick-label", text_anchor="end") for t in ticks
    ]
    above = tag("text", title, x=0, y=box.top - 12, class_="axis-title")
    return Markup("").join([*rules, *labels, above])


def outside_axis(
    values: Sequence[tuple[str, SeriesStyle, float]], box: Box, scale: Scale, named: Callable[[float], str]
) -> Markup:
    """Write each series whose value lies outside the vertical axis as a line of text at the foot of the plot.

    Args:
        values: name, style and value of each series that is outside.
        box: the plot area.
        scale: the vertical scale.
        named: function that writes a value.
    """
    lines = []
    for row, (name, style, value) in enumerate(values):
        where, room = "below" if value < scale.low else "above", box.right - box.left - 6
        ends = [f" {named(round(value, 3))}{end}" for end in (f": {where} this axis", f": {where}", "")]
        rest = next((end for end in ends if text_width(name + end, SMALL) <= room), ends[0])
        whole = fit(name, SMALL, room - text_width(rest, SMALL)) + rest
        css = f"aside halo {style.css} tinted"
        lines.append(tag("text", whole, x=box.left + 6, y=box.bottom - 8 - 15 * row, class_=css))
    return Markup("").join(lines)


def whisker(x: float, low: float, high: float) -> Markup:
    """Draw an interval as a vertical line with short caps.

    Args:
        x: horizontal position of the line, in pixels.
        low: vertical position of the interval's lower end, in pixels.
        high: vertical position of the interval's upper end, in pixels.
    """
    stem = tag("line", x1=x, x2=x, y1=low, y2=high, class_="whisker")
    caps = [tag("line", x1=x - 3, x2=x + 3, y1=end, y2=end, class_="whisker") for end in (low, high)]
    return Markup("").join([stem, *caps])


def level_whisker(y: float, low: float, high: float) -> Markup:
    """Draw an interval as a horizontal line with short caps.

    Args:
        y: vertical position of the line, in pixels.
        low: horizontal position of the interval's lower end, in pixels.
        high: horizontal position of the interval's upper end, in pixels.
    """
    stem = tag("line", x1=low, x2=high, y1=y, y2=y, class_="whisker")
    caps = [tag("line", x1=end, x2=end, y1=y - 3, y2=y + 3, class_="whisker") for end in (low, high)]
    return Markup("").join([stem, *caps])
