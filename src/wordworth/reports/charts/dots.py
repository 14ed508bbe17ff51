"""Scores with their intervals, a row for each benchmark and a dot for each system: who leads where, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, level_whisker, root
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded
from wordworth.reports.charts.svg import Markup, fit, tag, text_width

_DOT, _ROOM, _HEAD, _FOOT, _LINE = 12, 10, 30, 46, 20


@dataclass(frozen=True, slots=True)
class Dot:
    """One system's score; None where it is undefined."""

    name: str
    look: SeriesStyle
    score: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A benchmark and its dots, with its `short` name on a phone; `absent` is shown if there is no dot."""

    name: str
    short: str
    dots: tuple[Dot, ...]
    strong: bool = False
    absent: str = "not scored"


@dataclass(frozen=True, slots=True)
class Dots:
    """Groups of lines under titles; `tick` writes a value on the axis, `told` describes a dot."""

    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    axis: str
    tick: Callable[[float], str]
    told: Callable[[Dot], str]

    @property
    def dots(self) -> list[Dot]:
        """Every dot that has a score."""
        return [dot for _, lines in self.groups for line in lines for dot in line.dots if dot.score is not None]

    @property
    def names(self) -> dict[str, SeriesStyle]:
        """The systems and their styles."""
        return {dot.name: dot.look for _, lines in self.groups for line in lines for dot in line.dots}


def height(data: Dots) -> int:
    """The height in pixels that the rows and the longest legend need."""
    rows = sum(_HEAD + sum(map(_row_height, lines)) for _, lines in data.groups)
    return rows + _FOOT + _LINE * len(data.names)


def draw(data: Dots, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one score."""
    key, top = _key(data, size)
    box = Box(left=112 if size.narrow else 190, top=top, right=size.width - 14, bottom=size.height - _FOOT)
    x = box.across(*padded([end for dot in data.dots for end in (dot.score, dot.low, dot.high) if end is not None]))
    parts, stops, y = [key], list[HoverPoint](), box.top
    for title, lines in data.groups:
        parts.append(tag("text", title, x=0, y=y + 20, class_="group"))
        y += _HEAD
        for line in lines:
            middle = y + _row_height(line) / 2
            parts.extend(_line(line, line.short if size.narrow else line.name, x, middle, box))
            stops.append(HoverPoint(_hover_x(line, x), middle, line.name, _hover_lines(line, data)))
            y += _row_height(line)
    box = Box(box.left, box.top, box.right, y + 4)
    zero = tag("line", x1=x(0), x2=x(0), y1=box.top + _HEAD, y2=box.bottom, class_="zero") if x.low < 0 < x.high else ""
    axis = bottom_axis(box, x, nice_ticks(x.low, x.high, 5), data.tick, title=data.axis)
    fitted = Size(size.name, size.width, round(box.bottom) + _FOOT)
    return Drawing(root(fitted, label, Markup(zero), *parts, axis), tuple(stops))


def _row_height(line: Line) -> int:
    return _ROOM + _DOT * max(1, len(line.dots))


def _key(data: Dots, size: Size) -> tuple[Markup, float]:
    """The legend above the plot, wrapped into lines, and the height where it ends."""
    parts, x, y = list[Markup](), 0.0, 12.0
    for name, look in data.names.items():
        label = fit(name, SMALL, size.width - 24)
        wide = 18 + text_width(label, SMALL) + 18
        if x and x + wide > size.width:
            x, y = 0.0, y + _LINE
        mark = tag("g", marker(look, x + 6, y - 4, size=5), class_=look.css)
        parts.append(mark + tag("text", label, x=x + 18, y=y))
        x += wide
    return Markup("").join(parts), y + 4


def _line(line: Line, named: str, x: Scale, middle: float, box: Box) -> Iterator[Markup]:
    name = fit(named, SMALL, box.left - 12, bold=line.strong)
    yield tag("line", x1=box.left, x2=box.right, y1=middle, y2=middle, class_="grid")
    yield tag("text", name, x=0, y=middle + 4, class_="direct" + " strong" * line.strong)
    if all(dot.score is None for dot in line.dots):
        yield tag("text", line.absent, x=box.left + 6, y=middle + 4, class_="aside halo")
    for index, dot in enumerate(line.dots):
        if dot.score is not None:
            yield _dot(dot, x, middle + _DOT * (index - (len(line.dots) - 1) / 2))


def _dot(dot: Dot, x: Scale, y: float) -> Markup:
    mark = marker(dot.look, x(dot.score or 0.0), y, size=4.5)
    spans = dot.low is not None and dot.high is not None
    return tag("g", *([level_whisker(y, x(dot.low or 0.0), x(dot.high or 0.0))] if spans else []), mark,
               class_=dot.look.css)  # fmt: skip


def _hover_x(line: Line, x: Scale) -> float:
    scores = [dot.score for dot in line.dots if dot.score is not None]
    return x(max(scores)) if scores else (x.start + x.end) / 2


def _hover_lines(line: Line, data: Dots) -> tuple[tuple[SeriesStyle | None, str], ...]:
    return tuple((dot.look, data.told(dot)) for dot in line.dots)
