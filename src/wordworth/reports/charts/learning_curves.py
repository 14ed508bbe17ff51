"""Learning curves: a line for each rung, named at its end, with bands for the few that matter; predictions dashed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, left_axis, root, whisker
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded, spread
from wordworth.reports.charts.svg import Markup, fit, path, tag, text_width

_ONE_LINE = 14
"""Longest name, in characters, that is written on one line beside a curve."""


@dataclass(frozen=True, slots=True)
class Point:
    """A score at a number of labels with its interval; `low` and `high` are None if it has none."""

    labels: int
    score: float
    low: float | None
    high: float | None
    predicted: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """One rung's points in order of labels. A `floor` does not stretch the score axis; `strong` curves are highlighted.

    Only curves with a `band` show their intervals, because many overlapping bands cannot be read. `shift` moves a curve
    sideways, in pixels: if there is only one size, all points would be on one line.
    """

    name: str
    look: SeriesStyle
    points: tuple[Point, ...]
    strong: bool = False
    floor: bool = False
    band: bool = True
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Curves:
    """The data of the chart; `named` writes a score, `told` describes a point in full."""

    curves: tuple[Curve, ...]
    score_title: str
    named: Callable[[float], str]
    told: Callable[[Point], str]


@dataclass(frozen=True, slots=True)
class _Plot:
    box: Box
    x: Scale
    y: Scale


def draw(data: Curves, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one curve with one point."""
    plot = _plot(data, size)
    inside = [curve for curve in data.curves if any(_inside(plot, point) for point in curve.points)]
    hidden = [curve for curve in data.curves if curve not in inside]
    counts = sorted({point.labels for curve in data.curves for point in curve.points})
    visible = _side_by_side(inside) if len(counts) == 1 else inside
    ticks = nice_ticks(plot.y.low, plot.y.high)
    parts = [
        _predicted_area(plot, data.curves),
        left_axis(plot.box, plot.y, ticks, data.named, title=data.score_title),
        bottom_axis(plot.box, plot.x, counts, lambda count: f"{count:,.0f}", title="labels (log scale)"),
        *(_band(plot, curve) for curve in visible if curve.band or len(counts) == 1),
        *(_line(plot, curve) for curve in sorted(visible, key=lambda curve: curve.strong)),
        _ends(plot, visible, size),
        _outside_axis(plot, hidden, data.named),
    ]
    return Drawing(root(size, label, *parts), _stops(plot, data, counts), across=True)


def _plot(data: Curves, size: Size) -> _Plot:
    box = Box(left=40, top=30, right=size.width - _margin(data, size), bottom=size.height - 46)
    points = [point for curve in data.curves for point in curve.points]
    counts = [point.labels for point in points]
    alone = len(set(counts)) == 1
    stretching = [curve for curve in data.curves if not curve.floor] or list(data.curves)
    ends = [
        end
        for curve in stretching
        for point in curve.points
        for end in _bounds(point, band=curve.band or alone)
        if end is not None
    ]
    spare = 2.0 if alone else 1.0
    return _Plot(box, box.across(min(counts) / spare, max(counts) * spare, log=True), box.upward(*padded(ends)))


def _bounds(point: Point, *, band: bool) -> tuple[float | None, ...]:
    """The values of a point that the axis must include; the band of a prediction may run beyond it."""
    return (point.score, point.low, point.high) if band and not point.predicted else (point.score,)


def _margin(data: Curves, size: Size) -> float:
    """Room for the names at the right in pixels, each on one line or two."""
    longest = max(text_width(line, SMALL, bold=c.strong) for c in data.curves for line in _lines(c.name))
    return min(max(longest + 30, 90), size.width * 0.36)


def _lines(name: str) -> list[str]:
    """A name on one line, or split into two lines of about the same length."""
    words = name.split()
    if len(name) <= _ONE_LINE or len(words) == 1:
        return [name]
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(cuts, key=lambda pair: max(map(len, pair))))


def _inside(plot: _Plot, point: Point) -> bool:
    return plot.y.low <= point.score <= plot.y.high


def _side_by_side(curves: Sequence[Curve]) -> list[Curve]:
    """The curves shifted side by side, the first furthest left."""
    middle = (len(curves) - 1) / 2
    return [replace(curve, shift=18 * (index - middle)) for index, curve in enumerate(curves)]


def _pixel(plot: _Plot, curve: Curve, point: Point) -> tuple[float, float]:
    return plot.x(point.labels) + curve.shift, plot.y(point.score)


def _predicted_area(plot: _Plot, curves: Sequence[Curve]) -> Markup:
    """The part of the axis that holds only predictions, shaded and labelled."""
    measured = [point.labels for curve in curves for point in curve.points if not point.predicted]
    predicted = [point.labels for curve in curves for point in curve.points if point.predicted]
    if not predicted or not measured:
        return Markup("")
    left = plot.x(max(measured))
    shade = tag(
        "rect",
        x=left,
        y=plot.box.top,
        width=plot.box.right - left,
        height=plot.box.bottom - plot.box.top,
        class_="future",
    )
    return shade + tag("text", "predicted", x=plot.box.right, y=plot.box.top - 6, class_="aside", text_anchor="end")


def _band(plot: _Plot, curve: Curve) -> Markup:
    ends = [(point.labels, point.low, point.high) for point in curve.points]
    whole = [
        (plot.x(n) + curve.shift, plot.y(low), plot.y(high))
        for n, low, high in ends
        if low is not None and high is not None
    ]
    if len(whole) == 1:
        return tag("g", whisker(*whole[0]), class_=curve.look.css)
    outline = [(x, high) for x, _, high in whole] + [(x, low) for x, low, _ in reversed(whole)]
    return tag("path", d=path(outline, closed=True), class_=f"band {curve.look.css}{' strong' if curve.strong else ''}")


def _line(plot: _Plot, curve: Curve) -> Markup:
    known = [point for point in curve.points if not point.predicted]
    beyond = known[-1:] + [point for point in curve.points if point.predicted]
    parts = [tag("path", d=path([_pixel(plot, curve, point) for point in known]), class_="line")]
    if len(beyond) > 1:
        parts.append(tag("path", d=path([_pixel(plot, curve, point) for point in beyond]), class_="line guess"))
    parts += [
        marker(curve.look, *_pixel(plot, curve, point), size=3.6, hollow=point.predicted) for point in curve.points
    ]
    return tag("g", *parts, class_=f"curve {curve.look.css}{' strong' if curve.strong else ''}")


def _ends(plot: _Plot, curves: Sequence[Curve], size: Size) -> Markup:
    """Each curve's name beside its last point, moved apart where names would touch, with a thin leader line."""
    lasts = [_pixel(plot, curve, curve.points[-1]) for curve in curves]
    gap = 16 if all(len(_lines(curve.name)) == 1 for curve in curves) else 27
    label_heights = spread([y for _, y in lasts], gap, plot.box.top + 4, plot.box.bottom - 4)
    x, room = plot.box.right + 20, size.width - plot.box.right - 22
    parts = []
    for curve, (end, y), label_height in zip(curves, lasts, label_heights, strict=True):
        leader = tag(
            "path", d=path([(end + 5, y), (plot.box.right + 8, label_height), (x - 4, label_height)]), class_="leader"
        )
        lines = _lines(curve.name)
        names = [
            tag(
                "text",
                fit(line, SMALL, room, bold=curve.strong),
                x=x,
                y=label_height + 4 + 13 * (row - (len(lines) - 1) / 2),
                class_="direct" + " strong" * curve.strong,
            )
            for row, line in enumerate(lines)
        ]
        parts.append(tag("g", leader, *names, class_=curve.look.css))
    return Markup("").join(parts)


def _outside_axis(plot: _Plot, curves: Sequence[Curve], named: Callable[[float], str]) -> Markup:
    """List curves that are wholly outside the score axis at its foot, so that they are not silently missing."""
    lines = []
    for row, curve in enumerate(curves):
        last = curve.points[-1]
        where = "below" if last.score < plot.y.low else "above"
        words = f"{curve.name} {named(round(last.score, 3))}: {where} this axis"
        y = plot.box.bottom - 8 - 15 * row
        lines.append(tag("text", words, x=plot.box.left + 6, y=y, class_=f"aside {curve.look.css} tinted"))
    return Markup("").join(lines)


def _stops(plot: _Plot, data: Curves, counts: Sequence[int]) -> tuple[HoverPoint, ...]:
    stops = []
    for count in counts:
        points = [(curve, point) for curve in data.curves for point in curve.points if point.labels == count]
        points.sort(key=lambda pair: -pair[1].score)
        predicted = all(point.predicted for _, point in points)
        title = f"{count:,} labels" + (" (predicted)" if predicted else "")
        lines = tuple((curve.look, f"{curve.name} {data.told(point)}") for curve, point in points)
        stops.append(HoverPoint(plot.x(count), plot.y(points[0][1].score), title, lines))
    return tuple(stops)
