"""The chart of dependency trees in the plane, one under the other: words at points, tree edges as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Drawing, HoverPoint, Size, root
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import Markup, tag, text_width

PANEL = 230
"""Height in pixels of the panel of one tree, with its title."""
_HEAD, _EDGE, _LINE, _ROUNDS = 22, 14, 15, 60
_DASHES = {"solid": None, "dashed": "5 4", "dotted": "1 4"}


@dataclass(frozen=True, slots=True)
class TreeWord:
    """A word at its point in the plane; `line` is the text of its tooltip."""

    form: str
    x: float
    y: float
    line: str


@dataclass(frozen=True, slots=True)
class TreeEdge:
    """An edge of a tree between two words, given by their indices; `dash` is `solid`, `dashed` or `dotted`."""

    first: int
    second: int
    style: SeriesStyle
    dash: str = "solid"


@dataclass(frozen=True, slots=True)
class TreePanel:
    """The title, the words and the edges of one tree in a drawing of trees."""

    title: str
    words: Sequence[TreeWord]
    edges: Sequence[TreeEdge]


def draw(panels: Sequence[TreePanel], size: Size, label: str) -> Drawing:
    """Draw the panels of trees from top to bottom.

    Args:
        panels: the panels, each with at least one word.
        size: size of the drawing, whose height has `PANEL` pixels for each panel.
        label: id of the element with the chart's title on the page.
    """
    parts, stops = list[Markup](), list[HoverPoint]()
    for number, panel in enumerate(panels):
        top = PANEL * number
        frame = tag("rect", x=0.5, y=top + _HEAD + 0.5, width=size.width - 1, height=PANEL - _HEAD - 9)
        parts += [tag("text", panel.title, x=0, y=top + 14, class_="group"), tag("g", frame, class_="border-thin")]
        points = _points(panel.words, size.width, top)
        parts += [_edge(edge, points) for edge in panel.edges]
        parts += [
            tag("text", word.form, x=x, y=y, text_anchor="middle", class_="halo")
            for word, (x, y) in zip(panel.words, _apart(panel.words, points, top), strict=True)
        ]
        stops += [
            HoverPoint(x, y, word.form, ((None, word.line),)) for word, (x, y) in zip(panel.words, points, strict=True)
        ]
    return Drawing(root(size, label, *parts), tuple(stops))


def _points(words: Sequence[TreeWord], width: float, top: float) -> list[tuple[float, float]]:
    """Return the position of each word in pixels; both axes have the same unit, and words stay inside the frame."""
    side = max(text_width(word.form, SMALL) for word in words) / 2 + _EDGE
    low, high = top + _HEAD + 2 * _EDGE, top + PANEL - 2 * _EDGE
    across, up = [word.x for word in words], [word.y for word in words]
    reach = max(max(across) - min(across), 1e-9), max(max(up) - min(up), 1e-9)
    unit = min((width - 2 * side) / reach[0], (high - low) / reach[1])
    middle = (max(across) + min(across)) / 2, (max(up) + min(up)) / 2
    return [(width / 2 + (word.x - middle[0]) * unit, (low + high) / 2 - (word.y - middle[1]) * unit) for word in words]


def _edge(edge: TreeEdge, points: Sequence[tuple[float, float]]) -> Markup:
    (x1, y1), (x2, y2) = points[edge.first], points[edge.second]
    line = tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="whisker", stroke_dasharray=_DASHES[edge.dash])
    return tag("g", line, class_=edge.style.css)


def _apart(words: Sequence[TreeWord], points: Sequence[tuple[float, float]], top: float) -> list[tuple[float, float]]:
    """Return the position of each word's text in pixels, moved up or down where words would overlap."""
    lines = [y + 4 for _, y in points]
    low, high = top + _HEAD + _LINE, top + PANEL - _EDGE
    room = [text_width(word.form, SMALL) for word in words]
    for _ in range(_ROUNDS):
        moved = False
        for word in range(len(words)):
            for other in range(word + 1, len(words)):
                near = abs(points[word][0] - points[other][0]) < (room[word] + room[other]) / 2 + 4
                if near and (gap := _LINE - abs(lines[word] - lines[other])) > 0.5:  # noqa: PLR2004 - half a pixel
                    above, below = sorted((word, other), key=lambda index: (lines[index], index))
                    lines[above] = max(low, lines[above] - gap / 2)
                    lines[below] = min(high, lines[below] + gap / 2)
                    moved = True
        if not moved:
            break
    return [(x, line) for (x, _), line in zip(points, lines, strict=True)]
