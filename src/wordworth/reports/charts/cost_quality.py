"""Cost against quality: a point a rung, its score with whiskers over what it costs on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, left_axis, root, whisker
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, log_ticks, nice_ticks, padded, padded_log
from wordworth.reports.charts.svg import Markup, fit, tag, text_width


@dataclass(frozen=True, slots=True)
class Offer:
    """What a rung costs (`cost` above 0) and what it scores, with its interval. A `floor` does not stretch the axis."""

    name: str
    look: SeriesStyle
    cost: float
    score: float
    low: float | None
    high: float | None
    told: tuple[str, ...]
    strong: bool = False
    floor: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """All that the chart needs; `cost_named` and `score_named` write the ticks."""

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
    shown = [offer for offer in data.offers if y.low <= offer.score <= y.high]
    x = box.across(*padded_log([offer.cost for offer in shown], 2.2), log=True)
    hidden = [offer for offer in data.offers if offer not in shown]
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), data.score_named, title=data.score_title),
        bottom_axis(box, x, log_ticks(x.low, x.high), data.cost_named, title=data.cost_title),
        *(_point(offer, x, y) for offer in shown),
        *_names(shown, x, y, box),
        _beneath(hidden, box, y, data.score_named),
    ]
    stops = tuple(HoverPoint(x(o.cost), y(o.score), o.name, tuple((None, line) for line in o.told)) for o in shown)
    return Drawing(root(size, label, *parts), stops)


def _point(offer: Offer, x: Scale, y: Scale) -> Markup:
    at = x(offer.cost)
    parts = [] if offer.low is None or offer.high is None else [whisker(at, y(offer.low), y(offer.high))]
    parts.append(marker(offer.look, at, y(offer.score), size=5))
    return tag("g", *parts, class_=offer.look.css + " strong" * offer.strong)


Room = tuple[float, float, float, float]
"""left, top, right, bottom in pixels."""


def _names(offers: Sequence[Offer], x: Scale, y: Scale, box: Box) -> list[Markup]:
    """A name beside each point: the first of several places that touches no other name and no other point."""
    taken: list[Room] = [_body(offer, x, y) for offer in offers]
    parts = []
    for offer in sorted(offers, key=lambda offer: -offer.strong):
        words = fit(offer.name, SMALL, (box.right - box.left) * (0.7 if offer.strong else 0.45), bold=offer.strong)
        width = text_width(words, SMALL, bold=offer.strong)
        own = _body(offer, x, y)
        places = _places(x(offer.cost), y(offer.score), width, own, box)
        best = min(places, key=lambda room: sum(_overlap(room, other) for other in taken if other != own))
        taken.append(best)
        name = tag("text", words, x=best[0], y=best[3] - 4, class_="direct" + " strong" * offer.strong)
        parts.append(tag("g", name, class_=offer.look.css))
    return parts


def _body(offer: Offer, x: Scale, y: Scale) -> Room:
    at, middle = x(offer.cost), y(offer.score)
    top = middle if offer.high is None else y(offer.high)
    bottom = middle if offer.low is None else y(offer.low)
    return at - 6, min(top, middle - 6), at + 6, max(bottom, middle + 6)


def _places(x: float, y: float, width: float, own: Room, box: Box) -> list[Room]:
    """Right and left of the point at several heights, then over and under it, as rooms inside the box."""
    lifts, lefts = (0, -14, 14, -28, 28, -42, 42), (x + 10, x - 10 - width)
    rooms = [(left, y + lift - 9, left + width, y + lift + 8) for lift in lifts for left in lefts]
    rooms += [(x - width / 2, top, x + width / 2, top + 17) for top in (own[1] - 18, own[3] + 2)]
    inside = [room for room in rooms if room[0] >= box.left + 2 and room[2] <= box.right + 12]
    return inside or [(box.left + 2, y - 26, box.left + 2 + width, y - 9)]


def _overlap(one: Room, other: Room) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def _beneath(offers: Sequence[Offer], box: Box, scale: Scale, named: Callable[[float], str]) -> Markup:
    """Rungs outside the score axis are named at its foot rather than left out in silence."""
    return Markup("").join(
        tag(
            "text",
            f"{offer.name} {named(round(offer.score, 3))}: {'below' if offer.score < scale.low else 'above'} this axis",
            x=box.left + 6,
            y=box.bottom - 8 - 15 * row,
            class_=f"aside {offer.look.css} tinted",
        )
        for row, offer in enumerate(offers)
    )
