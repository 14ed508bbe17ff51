"""Learning curves: a line a rung, labelled at its end, with bands for the few that matter; predictions are dashed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, left_axis, root, whisker
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded, spread
from wordworth.reports.charts.svg import Markup, fit, path, tag, text_width

_ONE_LINE = 14
"""Letters that a name beside a curve may have in one line."""


@dataclass(frozen=True, slots=True)
class Point:
    """A score at a number of labels with its interval; `low` and `high` are None where it has none."""

    labels: int
    score: float
    low: float | None
    high: float | None
    predicted: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """One rung's points in order of labels. A `floor` does not stretch the score axis; `strong` curves stand out.

    Only curves with a `band` show their intervals, for bands of many lie over each other until none can be seen.
    `shift` moves it sideways by so many pixels, where there is but one size and all would stand on one line.
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
    """All that the chart needs; `named` writes a score, `told` a point in full."""

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
    shown = _apart(inside) if len(counts) == 1 else inside
    ticks = nice_ticks(plot.y.low, plot.y.high)
    parts = [
        _future(plot, data.curves),
        left_axis(plot.box, plot.y, ticks, data.named, title=data.score_title),
        bottom_axis(plot.box, plot.x, counts, lambda count: f"{count:,.0f}", title="labels (log scale)"),
        *(_band(plot, curve) for curve in shown if curve.band or len(counts) == 1),
        *(_line(plot, curve) for curve in sorted(shown, key=lambda curve: curve.strong)),
        _ends(plot, shown, size),
        _beneath(plot, hidden, data.named),
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
        for end in _reach(point, band=curve.band or alone)
        if end is not None
    ]
    spare = 2.0 if alone else 1.0
    return _Plot(box, box.across(min(counts) / spare, max(counts) * spare, log=True), box.upward(*padded(ends)))


def _reach(point: Point, *, band: bool) -> tuple[float | None, ...]:
    """What of a point the axis must hold; a predicted band may run beyond it."""
    return (point.score, point.low, point.high) if band and not point.predicted else (point.score,)


def _margin(data: Curves, size: Size) -> float:
    """Room at the right for the names, each in one line or two."""
    longest = max(text_width(line, SMALL, bold=c.strong) for c in data.curves for line in _lines(c.name))
    return min(max(longest + 30, 90), size.width * 0.36)


def _lines(name: str) -> list[str]:
    """A name in one line, or in two halves of about the same length."""
    words = name.split()
    if len(name) <= _ONE_LINE or len(words) == 1:
        return [name]
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(cuts, key=lambda pair: max(map(len, pair))))


def _inside(plot: _Plot, point: Point) -> bool:
    return plot.y.low <= point.score <= plot.y.high


def _apart(curves: Sequence[Curve]) -> list[Curve]:
    """The curves side by side, the first furthest left."""
    middle = (len(curves) - 1) / 2
    return [replace(curve, shift=18 * (place - middle)) for place, curve in enumerate(curves)]


def _at(plot: _Plot, curve: Curve, point: Point) -> tuple[float, float]:
    return plot.x(point.labels) + curve.shift, plot.y(point.score)


def _future(plot: _Plot, curves: Sequence[Curve]) -> Markup:
    """The part of the axis that holds predictions only, shaded and named."""
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
    parts = [tag("path", d=path([_at(plot, curve, point) for point in known]), class_="line")]
    if len(beyond) > 1:
        parts.append(tag("path", d=path([_at(plot, curve, point) for point in beyond]), class_="line guess"))
    parts += [marker(curve.look, *_at(plot, curve, point), size=3.6, hollow=point.predicted) for point in curve.points]
    return tag("g", *parts, class_=f"curve {curve.look.css}{' strong' if curve.strong else ''}")


def _ends(plot: _Plot, curves: Sequence[Curve], size: Size) -> Markup:
    """Each curve's name beside its last point, moved apart where names would touch, with a thin leader."""
    lasts = [_at(plot, curve, curve.points[-1]) for curve in curves]
    gap = 16 if all(len(_lines(curve.name)) == 1 for curve in curves) else 27
    places = spread([y for _, y in lasts], gap, plot.box.top + 4, plot.box.bottom - 4)
    x, room = plot.box.right + 20, size.width - plot.box.right - 22
    parts = []
    for curve, (end, y), place in zip(curves, lasts, places, strict=True):
        leader = tag("path", d=path([(end + 5, y), (plot.box.right + 8, place), (x - 4, place)]), class_="leader")
        lines = _lines(curve.name)
        names = [
            tag(
                "text",
                fit(line, SMALL, room, bold=curve.strong),
                x=x,
                y=place + 4 + 13 * (row - (len(lines) - 1) / 2),
                class_="direct" + " strong" * curve.strong,
            )
            for row, line in enumerate(lines)
        ]
        parts.append(tag("g", leader, *names, class_=curve.look.css))
    return Markup("").join(parts)


def _beneath(plot: _Plot, curves: Sequence[Curve], named: Callable[[float], str]) -> Markup:
    """Curves that lie wholly outside the score axis are named at its foot rather than left out in silence."""
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
        here = [(curve, point) for curve in data.curves for point in curve.points if point.labels == count]
        here.sort(key=lambda pair: -pair[1].score)
        predicted = all(point.predicted for _, point in here)
        title = f"{count:,} labels" + (" (predicted)" if predicted else "")
        lines = tuple((curve.look, f"{curve.name} {data.told(point)}") for curve, point in here)
        stops.append(HoverPoint(plot.x(count), plot.y(here[0][1].score), title, lines))
    return tuple(stops)
