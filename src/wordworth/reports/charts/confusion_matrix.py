"""A confusion matrix: a square for each pair of classes, the darker the larger its share of the row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, root
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import Markup, fit, tag, text_width

_WRONG, _RIGHT = SeriesStyle(7, "square"), SeriesStyle(6, "square")
_LEAST, _MOST = 20, 64


@dataclass(frozen=True, slots=True)
class Matrix:
    """Counts [gold][predicted] of classes by name."""

    names: tuple[str, ...]
    counts: Sequence[Sequence[int]]


def side(data: Matrix, size: Size) -> float:
    """Return the width of a square in pixels."""
    room = size.width - _left(data, size) - 12
    return min(_MOST, max(_LEAST if not size.narrow else 12, room / len(data.names)))


def height(data: Matrix) -> int:
    """Return the height that the wide drawing needs in pixels, more than that of the narrow one."""
    wide = Size("wide", 552, 0)
    return round(_top(data) + side(data, wide) * len(data.names) + 30)


def draw(data: Matrix, size: Size, label: str) -> Drawing:
    """Draw the matrix at `size`: rows are gold labels, columns predictions."""
    edge, left, top = side(data, size), _left(data, size), _top(data)
    box = Box(left=left, top=top, right=left + edge * len(data.names), bottom=top + edge * len(data.names))
    parts, stops = [_heads(data, size, box, edge)], []
    for row, counts in enumerate(data.counts):
        whole = sum(counts)
        for column, count in enumerate(counts):
            x, y = box.left + edge * column, box.top + edge * row
            parts.append(_cell((x, y, edge), count, whole, right=row == column))
            share = f"{100 * count / whole:.1f} % of {whole:,}" if whole else "no example has this label"
            title = f"gold {data.names[row]}, predicted {data.names[column]}"
            stops.append(HoverPoint(x + edge / 2, y + edge / 2, title, ((None, f"{count:,}, {share}"),)))
    foot = tag("text", "rows: gold label · columns: prediction", x=0, y=box.bottom + 20, class_="axis-title")
    fitted = Size(size.name, size.width, round(box.bottom + 30))
    return Drawing(root(fitted, label, *parts, foot), tuple(stops))


def _cell(at: tuple[float, float, float], count: int, whole: int, *, right: bool) -> Markup:
    x, y, edge = at
    style = _RIGHT if right else _WRONG
    share = count / whole if whole else 0.0
    square = tag("rect", x=x + 1, y=y + 1, width=edge - 2, height=edge - 2, class_="share",
                 fill_opacity=f"{0.04 + 0.5 * share:.3f}")  # fmt: skip
    small = text_width(f"{count:,}", 11) > edge - 4
    words = "" if small or not count else tag("text", f"{count:,}", x=x + edge / 2, y=y + edge / 2 + 4,
                                              text_anchor="middle", class_="tick-label count")  # fmt: skip
    return tag("g", square, words, class_=style.css)


def _heads(data: Matrix, size: Size, box: Box, edge: float) -> Markup:
    parts = []
    for index, name in enumerate(data.names):
        middle = edge * (index + 0.5)
        short = fit(name, SMALL, _left(data, size) - 10)
        parts.append(tag("text", short, x=box.left - 6, y=box.top + middle + 4, text_anchor="end"))
        x, y = box.left + middle, box.top - 6
        if text_width(name, SMALL) <= edge:
            parts.append(tag("text", name, x=x, y=y, text_anchor="middle"))
        else:
            above = fit(name, SMALL, _top(data) - 6)
            parts.append(tag("text", above, x=x + 4, y=y, transform=f"rotate(-90 {x + 4:.1f} {y:.1f})"))
    return Markup("").join(parts)


def _left(data: Matrix, size: Size) -> float:
    longest = max(text_width(name, SMALL) for name in data.names)
    return min(longest + 10, 90 if size.narrow else 150)


def _top(data: Matrix) -> float:
    longest = max(text_width(name, SMALL) for name in data.names)
    return 22 if longest <= _LEAST else min(longest + 12, 110)
