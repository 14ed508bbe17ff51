"""How runs learn: one line for each run over epochs, named at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, left_axis, root
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded, spread
from wordworth.reports.charts.svg import Markup, fit, path, tag

_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Trace:
    """The values of one run at its evaluations; `strong` runs are highlighted, `named` runs are labelled."""

    name: str
    look: SeriesStyle
    points: tuple[tuple[float, float], ...]
    strong: bool = False
    named: bool = True


@dataclass(frozen=True, slots=True)
class Traces:
    """The data of the chart; `tick` writes a value on the axis, which spans at least `least`, `told` one in full."""

    traces: tuple[Trace, ...]
    title: str
    tick: Callable[[float], str]
    told: Callable[[float], str]
    least: float = 0.0


def draw(data: Traces, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one trace with one point."""
    named = [trace for trace in data.traces if trace.named][:_MOST_NAMES]
    box = Box(left=44, top=30, right=size.width - (76 if named else 16), bottom=size.height - 46)
    xs = [x for trace in data.traces for x, _ in trace.points]
    ys = [y for trace in data.traces for _, y in trace.points]
    room = max(0.0, data.least - (max(ys) - min(ys))) / 2
    x, y = box.across(0, max(xs)), box.upward(*padded([min(ys) - room, max(ys) + room]))
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), data.tick, title=data.title),
        bottom_axis(box, x, nice_ticks(0, max(xs)), lambda tick: f"{tick:g}", title="epochs"),
        *(_line(trace, x, y) for trace in sorted(data.traces, key=lambda trace: trace.strong)),
        _names(named, x, y, box, size),
    ]
    return Drawing(root(size, label, *parts), _stops(data, x, y), across=True)


def _line(trace: Trace, x: Scale, y: Scale) -> Markup:
    pixels = [(x(at), y(value)) for at, value in trace.points]
    marks = [marker(trace.look, *pixel, size=2.6) for pixel in pixels]
    curve = tag("path", d=path(pixels), class_="line")
    return tag("g", curve, *marks, class_=f"curve {trace.look.css}{' strong' if trace.strong else ''}")


def _names(traces: Sequence[Trace], x: Scale, y: Scale, box: Box, size: Size) -> Markup:
    ends = [(x(trace.points[-1][0]), y(trace.points[-1][1])) for trace in traces]
    label_heights = spread([height for _, height in ends], 15, box.top + 4, box.bottom - 4)
    start, room = box.right + 18, size.width - box.right - 20
    parts = []
    for trace, (end, height), label_height in zip(traces, ends, label_heights, strict=True):
        leader = tag(
            "path",
            d=path([(end + 4, height), (box.right + 7, label_height), (start - 4, label_height)]),
            class_="leader",
        )
        name = fit(trace.name, SMALL, room, bold=trace.strong)
        words = tag("text", name, x=start, y=label_height + 4, class_="direct" + " strong" * trace.strong)
        parts.append(tag("g", leader, words, class_=trace.look.css))
    return Markup("").join(parts)


def _stops(data: Traces, x: Scale, y: Scale) -> tuple[HoverPoint, ...]:
    stops = []
    for stop_epoch in sorted({stop_epoch for trace in data.traces for stop_epoch, _ in trace.points}):
        values = [(trace, value) for trace in data.traces for epoch, value in trace.points if epoch == stop_epoch]
        values.sort(key=lambda pair: -pair[1])
        lines = tuple((trace.look, f"{trace.name} {data.told(value)}") for trace, value in values[:_MOST_NAMES])
        stops.append(HoverPoint(x(stop_epoch), y(values[0][1]), f"epoch {stop_epoch:.2g}", lines))
    return tuple(stops)
