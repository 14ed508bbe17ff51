"""The score of each run, one in a row: its dev score hollow, its test score full, and the mean with its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, level_whisker, root
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded
from wordworth.reports.charts.svg import Markup, fit, tag

_ROW, _TOP, _FOOT = 28, 22, 46


@dataclass(frozen=True, slots=True)
class Seed:
    """One run. Without a test score, `absent` gives the reason."""

    name: str
    look: SeriesStyle
    test: float | None
    dev: float | None
    strong: bool = False
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The runs, their mean with its interval, and the baseline with its name; all numbers may be None."""

    seeds: tuple[Seed, ...]
    mean: float | None
    low: float | None
    high: float | None
    baseline: float | None
    unlearned: str
    axis: str
    tick: Callable[[float], str]
    told: Callable[[float | None], str]


def height(data: Seeds) -> int:
    """The height in pixels that the rows need."""
    return _TOP + _ROW * (len(data.seeds) + 1) + _FOOT


def draw(data: Seeds, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one score."""
    box = Box(left=96 if size.narrow else 124, top=_TOP, right=size.width - 18, bottom=size.height - _FOOT)
    ends = [seed.test for seed in data.seeds] + [seed.dev for seed in data.seeds] + [data.mean, data.low, data.high]
    known = [end for end in ends if end is not None]
    near = data.baseline is not None and data.baseline > min(known) - (max(known) - min(known)) - 0.1
    x = box.across(*padded([*known, data.baseline] if near and data.baseline is not None else known))
    rows = [_row(seed, x, _row_middle(index), box) for index, seed in enumerate(data.seeds)]
    parts = [_baseline(data, x, box), *rows, _mean(data, x, box)]
    axis = bottom_axis(box, x, nice_ticks(x.low, x.high, 5), data.tick, title=data.axis)
    return Drawing(root(size, label, *parts, axis), _stops(data, x))


def _row_middle(index: int) -> float:
    return _TOP + _ROW * (index + 0.5)


def _row(seed: Seed, x: Scale, y: float, box: Box) -> Markup:
    rule = tag("line", x1=box.left, x2=box.right, y1=y, y2=y, class_="grid")
    name = tag("text", fit(seed.name, SMALL, box.left - 8, bold=seed.strong), x=0, y=y + 4,
               class_="direct" + " strong" * seed.strong)  # fmt: skip
    parts = [rule, name]
    if seed.test is None:
        parts.append(tag("text", seed.absent, x=box.left + 6, y=y + 4, class_="aside halo"))
    if seed.dev is not None:
        parts.append(marker(seed.look, x(seed.dev), y, size=4.5, hollow=True))
    if seed.test is not None:
        parts.append(marker(seed.look, x(seed.test), y, size=5))
    return tag("g", *parts, class_=seed.look.css)


def _mean(data: Seeds, x: Scale, box: Box) -> Markup:
    y = _row_middle(len(data.seeds))
    parts = [tag("text", "mean", x=0, y=y + 4, class_="direct strong")]
    look = SeriesStyle(6, "diamond")
    if data.low is not None and data.high is not None:
        parts.append(level_whisker(y, x(data.low), x(data.high)))
    if data.mean is not None:
        parts.append(marker(look, x(data.mean), y, size=6))
    above = tag("line", x1=box.left, x2=box.right, y1=y - _ROW / 2, y2=y - _ROW / 2, class_="axis")
    return tag("g", above, *parts, class_=look.css)


def _baseline(data: Seeds, x: Scale, box: Box) -> Markup:
    """The score of a constant prediction as a line, if it is inside the axis."""
    if data.baseline is None or not x.low <= data.baseline <= x.high:
        return Markup("")
    at = x(data.baseline)
    late = at > (box.left + box.right) / 2
    words = tag("text", data.unlearned, x=at + (-6 if late else 6), y=box.top - 8, class_="aside",
                text_anchor="end" if late else "start")  # fmt: skip
    return tag("line", x1=at, x2=at, y1=box.top - 4, y2=box.bottom, class_="here") + words


def _stops(data: Seeds, x: Scale) -> tuple[HoverPoint, ...]:
    stops = []
    for index, seed in enumerate(data.seeds):
        at = next((value for value in (seed.test, seed.dev) if value is not None), x.low)
        lines = ((seed.look, f"test {data.told(seed.test)}"), (None, f"dev {data.told(seed.dev)}"))
        stops.append(
            HoverPoint(x(at), _row_middle(index), seed.name, lines if seed.test is not None else ((None, seed.absent),))
        )
    if data.mean is not None:
        stops.append(HoverPoint(x(data.mean), _row_middle(len(data.seeds)), "mean", ((None, data.told(data.mean)),)))
    return tuple(stops)
