"""Cost against quality: a point for each rung, its score with whiskers over its cost on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import (
    SMALL,
    Box,
    Drawing,
    HoverPoint,
    Scale,
    Size,
    bottom_axis,
    left_axis,
    log_ticks,
    nice_ticks,
    padded,
    padded_log,
    root,
    whisker,
)
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, fit, tag, text_width


@dataclass(frozen=True, slots=True)
class Offer:
    """A rung's cost (above 0) and its score with an interval. A `floor` does not stretch the score axis."""

    name: str
    style: SeriesStyle
    cost: float
    score: float
    low: float | None
    high: float | None
    described: tuple[str, ...]
    strong: bool = False
    floor: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """The data of the chart; `cost_named` and `score_named` write the ticks."""

    offers: tuple[Offer, ...]
    cost_title: str
    score_title: str
    cost_named: Callable[[float], str]
    score_named: Callable[[float], str]


def draw(data: Offers, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs at least one offer."""
    box = Box(left=40, top=30, right=size.width - 14, bottom=size.height - 46)
    stretching = [offer for offer in data.offers if not offer.floor] or list(data.offers)
    ends = [end for offer in stretching for end in (offer.score, offer.low, offer.high) if end is not None]
    y = box.upward(*padded(ends, 0.1))
    visible = [offer for offer in data.offers if y.low <= offer.score <= y.high]
    x = box.across(*padded_log([offer.cost for offer in visible], 2.2), log=True)
    hidden = [offer for offer in data.offers if offer not in visible]
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), data.score_named, title=data.score_title),
        bottom_axis(box, x, log_ticks(x.low, x.high), data.cost_named, title=data.cost_title),
        *(_point(offer, x, y) for offer in visible),
        *_names(visible, x, y, box),
        _outside_axis(hidden, box, y, data.score_named),
    ]
    stops = tuple(
        HoverPoint(x(o.cost), y(o.score), o.name, tuple((None, line) for line in o.described)) for o in visible
    )
    return Drawing(root(size, label, *parts), stops)


def _point(offer: Offer, x: Scale, y: Scale) -> Markup:
    at = x(offer.cost)
    parts = [] if offer.low is None or offer.high is None else [whisker(at, y(offer.low), y(offer.high))]
    parts.append(marker(offer.style, at, y(offer.score), size=5))
    return tag("g", *parts, class_=offer.style.css + " strong" * offer.strong)


Room = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom in pixels."""


def _names(offers: Sequence[Offer], x: Scale, y: Scale, box: Box) -> list[Markup]:
    """A name beside each point, in the first of several positions where it touches no other name or point."""
    taken: list[Room] = [_body(offer, x, y) for offer in offers]
    parts = []
    for offer in sorted(offers, key=lambda offer: -offer.strong):
        words = fit(offer.name, SMALL, (box.right - box.left) * (0.7 if offer.strong else 0.45), bold=offer.strong)
        width = text_width(words, SMALL, bold=offer.strong)
        own_room = _body(offer, x, y)
        candidates = _label_rooms(x(offer.cost), y(offer.score), width, own_room, box)
        best = min(candidates, key=lambda room: sum(_overlap(room, other) for other in taken if other != own_room))
        taken.append(best)
        name = tag("text", words, x=best[0], y=best[3] - 4, class_="direct" + " strong" * offer.strong)
        parts.append(tag("g", name, class_=offer.style.css))
    return parts


def _body(offer: Offer, x: Scale, y: Scale) -> Room:
    at, middle = x(offer.cost), y(offer.score)
    top = middle if offer.high is None else y(offer.high)
    bottom = middle if offer.low is None else y(offer.low)
    return at - 6, min(top, middle - 6), at + 6, max(bottom, middle + 6)


def _label_rooms(x: float, y: float, width: float, own: Room, box: Box) -> list[Room]:
    """Positions for a label: right and left of the point at several heights, then above and below it."""
    lifts, lefts = (0, -14, 14, -28, 28, -42, 42), (x + 10, x - 10 - width)
    rooms = [(left, y + lift - 9, left + width, y + lift + 8) for lift in lifts for left in lefts]
    rooms += [(x - width / 2, top, x + width / 2, top + 17) for top in (own[1] - 18, own[3] + 2)]
    inside = [room for room in rooms if room[0] >= box.left + 2 and room[2] <= box.right + 12]
    return inside or [(box.left + 2, y - 26, box.left + 2 + width, y - 9)]


def _overlap(first: Room, second: Room) -> float:
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return max(0.0, across) * max(0.0, down)


def _outside_axis(offers: Sequence[Offer], box: Box, scale: Scale, named: Callable[[float], str]) -> Markup:
    """List rungs outside the score axis at its foot, so that they are not silently missing."""
    return Markup("").join(
        tag(
            "text",
            f"{offer.name} {named(round(offer.score, 3))}: {'below' if offer.score < scale.low else 'above'} this axis",
            x=box.left + 6,
            y=box.bottom - 8 - 15 * row,
            class_=f"aside {offer.style.css} tinted",
        )
        for row, offer in enumerate(offers)
    )
