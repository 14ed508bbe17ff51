"""Where context pays: how much larger the gap is on the hard half than on the easy half, beside what chance gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, level_whisker, root
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded
from wordworth.reports.charts.svg import Markup, fit, path, tag

_ROW, _HEAD, _FOOT = 26, 30, 46


@dataclass(frozen=True, slots=True)
class Slice:
    """Hard-half gap minus easy-half gap for one rival, with its interval and its null; None if undefined."""

    name: str
    look: SeriesStyle
    difference: float | None
    low: float | None
    high: float | None
    null: float | None
    told: tuple[str, ...]
    why_absent: str = "not defined"


@dataclass(frozen=True, slots=True)
class Slices:
    """Groups of slices (a measure and its rivals); `named` writes a tick, `axis` names the unit.

    `null_named` labels the first grey stroke.
    """

    groups: tuple[tuple[str, tuple[Slice, ...]], ...]
    axis: str
    named: Callable[[float], str]
    null_named: str = "expected anyway"


def height(data: Slices) -> int:
    """The height in pixels that the rows need."""
    return 16 + _FOOT + sum(_HEAD + _ROW * len(slices) for _, slices in data.groups)


def draw(data: Slices, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one slice with a defined difference."""
    box = Box(left=132 if size.narrow else 176, top=8, right=size.width - 14, bottom=size.height - _FOOT)
    x = box.across(*padded(_values(data)))
    parts, stops, y = [_zero(x, box)], [], box.top
    for title, slices in data.groups:
        parts.append(tag("text", title, x=0, y=y + 20, class_="group"))
        y += _HEAD
        for part in slices:
            parts.append(_row(part, x, y + _ROW / 2, box))
            centre = (x.start + x.end) / 2 if part.difference is None else x(part.difference)
            stops.append(HoverPoint(centre, y + _ROW / 2, f"{title}, against {part.name}", _lines(part)))
            y += _ROW
    parts.append(_null_named(data, x, box))
    axis = bottom_axis(box, x, nice_ticks(x.low, x.high, 4), data.named, title=data.axis)
    return Drawing(root(size, label, *parts, axis), tuple(stops))


def _values(data: Slices) -> Sequence[float]:
    every = [part for _, slices in data.groups for part in slices]
    ends = [(part.difference, part.low, part.high, part.null) for part in every]
    return [0.0, *(end for four in ends for end in four if end is not None)]


def _lines(part: Slice) -> tuple[tuple[SeriesStyle | None, str], ...]:
    return tuple((None, line) for line in part.told)


def _zero(x: Scale, box: Box) -> Markup:
    return tag("line", x1=x(0), x2=x(0), y1=box.top, y2=box.bottom, class_="zero")


def _null_named(data: Slices, x: Scale, box: Box) -> Markup:
    """The label beside the first null that is drawn."""
    first = data.groups[0][1] if data.groups else ()
    null = next((part.null for part in first if part.difference is not None and part.null is not None), None)
    if null is None:
        return Markup("")
    return tag("text", data.null_named, x=x(null), y=box.top + 22, class_="aside tiny halo", text_anchor="middle")


def _row(part: Slice, x: Scale, y: float, box: Box) -> Markup:
    name = tag("text", fit(part.name, SMALL, box.left - 20), x=12, y=y + 4, class_="direct")
    if part.difference is None:
        reason = tag("text", part.why_absent, x=box.left + 6, y=y + 4, class_="aside")
        return tag("g", name, reason, class_=part.look.css)
    parts = [name]
    if part.low is not None and part.high is not None:
        parts.append(level_whisker(y, x(part.low), x(part.high)))
    parts.append(marker(part.look, x(part.difference), y, size=5))
    if part.null is not None:
        null_x = x(part.null)
        parts.append(tag("path", d=path([(null_x, y - 8), (null_x, y + 8)]), class_="null"))
    return tag("g", *parts, class_=part.look.css)
