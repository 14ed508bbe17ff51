"""A measure by layer: a line with its band for each model, its null dotted below, and published curves dashed in grey.

A static table has one layer; beside models with more layers its value is drawn across, as a reference for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, bottom_axis, left_axis, root, whisker
from wordworth.reports.charts.palette import PLAIN, SeriesStyle, marker
from wordworth.reports.charts.scales import Scale, nice_ticks, padded, spread
from wordworth.reports.charts.svg import Markup, fit, path, tag, text_width

_DASHES = ("7 3", "9 3 2 3", "4 4")
_NULL = "1 4"


@dataclass(frozen=True, slots=True)
class Level:
    """A model's value at one layer with its interval and its null; None if there is none."""

    layer: int
    value: float
    low: float | None = None
    high: float | None = None
    null: float | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """A model's curve over `depth` layers above the input layer. Without a `look` it is a published one, in grey."""

    name: str
    depth: int
    levels: tuple[Level, ...]
    look: SeriesStyle | None = None

    @property
    def drawn(self) -> SeriesStyle:
        """The style in which it is drawn."""
        return self.look or PLAIN


@dataclass(frozen=True, slots=True)
class Layers:
    """The data of the chart; `told` writes a value."""

    models: tuple[Model, ...]
    title: str
    told: Callable[[float], str]


def draw(data: Layers, size: Size, label: str) -> Drawing:
    """The chart at `size`; needs a model with a level. Models of different depth are stretched to the same width."""
    box = Box(left=46, top=30, right=size.width - _margin(data.models, size), bottom=size.height - 46)
    ends = [end for model in data.models for level in model.levels for end in _bounds(level)]
    x, y = box.across(0, 1), box.upward(*padded(ends))
    ticks, named, title = _ticks(data.models)
    models = _drawn_across(data.models)
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), lambda tick: f"{tick:g}".replace("-", "−"), title=data.title),
        bottom_axis(box, x, ticks, named, title=title),
        *(_published(model, x, y, dash) for model, dash in _greys(models)),
        *(_measured(model, x, y) for model in models if model.look),
        _names(models, x, y, box, size),
    ]
    return Drawing(root(size, label, *parts), _stops(data, x, y), across=True)


def _drawn_across(models: Sequence[Model]) -> Sequence[Model]:
    """Repeat the level of models with one layer at both ends, unless all models have one layer."""
    if not any(model.depth for model in models):
        return models
    return [
        model if model.depth else replace(model, depth=1, levels=(*model.levels, replace(model.levels[0], layer=1)))
        for model in models
    ]


def _margin(models: Sequence[Model], size: Size) -> float:
    """Room for the names at the right, in pixels."""
    longest = max(text_width(model.name, SMALL, bold=bool(model.look)) for model in models)
    return min(longest + 26, size.width * 0.36)


def _bounds(level: Level) -> Iterator[float]:
    yield from (end for end in (level.value, level.low, level.high, level.null) if end is not None)


def _ticks(models: Sequence[Model]) -> tuple[list[float], Callable[[float], str], str]:
    """The numbers of the layers if all measured models have the same depth, else percentages of the depth."""
    depths = {model.depth for model in models if model.look and model.depth}
    if len(depths) != 1:
        return [0, 0.25, 0.5, 0.75, 1], lambda tick: f"{100 * tick:.0f} %", "way from the input layer to the top"
    (depth,) = depths
    own = [layer / depth for layer in range(depth + 1)]
    grey = "; grey: from input to top" if any(model.look is None for model in models) else ""
    return own, lambda tick: f"{tick * depth:.0f}", f"layer (0 is the input layer{grey})"


def _greys(models: Sequence[Model]) -> Iterator[tuple[Model, str]]:
    yield from zip((model for model in models if not model.look), _DASHES * len(models), strict=False)


def _pixel(model: Model, level: Level, x: Scale, y: Scale) -> tuple[float, float]:
    return x(level.layer / model.depth if model.depth else 0), y(level.value)


def _published(model: Model, x: Scale, y: Scale, dash: str) -> Markup:
    line = path([_pixel(model, level, x, y) for level in model.levels])
    return tag("g", tag("path", d=line, class_="line", stroke_dasharray=dash), class_=f"curve {PLAIN.css}")


def _measured(model: Model, x: Scale, y: Scale) -> Markup:
    pixels = [_pixel(model, level, x, y) for level in model.levels]
    marks = [marker(model.drawn, *pixel, size=3.4) for pixel in pixels]
    line = tag("path", d=path(pixels), class_="line")
    curve = tag("g", line, *marks, class_=f"curve {model.drawn.css} strong")
    return _band(model, x, y) + _null(model, x, y) + curve


def _band(model: Model, x: Scale, y: Scale) -> Markup:
    ends = [
        (_pixel(model, level, x, y)[0], y(level.low), y(level.high))
        for level in model.levels
        if level.low is not None and level.high is not None
    ]
    if not ends:
        return Markup("")
    if len(ends) == 1:
        return tag("g", whisker(*ends[0]), class_=model.drawn.css)
    outline = [(at, high) for at, _, high in ends] + [(at, low) for at, low, _ in reversed(ends)]
    return tag("path", d=path(outline, closed=True), class_=f"band {model.drawn.css} strong")


def _null(model: Model, x: Scale, y: Scale) -> Markup:
    """The null as a dotted line; as a short bar if there is only one layer."""
    nulls = [(_pixel(model, level, x, y)[0], y(level.null)) for level in model.levels if level.null is not None]
    if not nulls:
        return Markup("")
    if len(nulls) == 1:
        ((at, height),) = nulls
        nulls = [(at, height), (at + 14, height)]
    line = tag("path", d=path(nulls), class_="line", stroke_dasharray=_NULL, stroke_linecap="round")
    return tag("g", line, class_=f"curve {model.drawn.css} null-of")


def _names(models: Sequence[Model], x: Scale, y: Scale, box: Box, size: Size) -> Markup:
    """Each curve's name beside its last level, moved apart where names would touch, with a thin leader line."""
    single = [_name_at_point(model, x, y) for model in models if len(model.levels) == 1]
    models = [model for model in models if len(model.levels) > 1]
    lasts = [_pixel(model, model.levels[-1], x, y) for model in models]
    heights = spread([height for _, height in lasts], 15, box.top + 4, box.bottom - 4)
    start, room = box.right + 18, size.width - box.right - 20
    parts = list(single)
    for model, (end, height), label_height in zip(models, lasts, heights, strict=True):
        leader = tag(
            "path",
            d=path([(end + 5, height), (box.right + 7, label_height), (start - 4, label_height)]),
            class_="leader",
        )
        name = fit(model.name, SMALL, room, bold=bool(model.look))
        words = tag("text", name, x=start, y=label_height + 4, class_="direct" + " strong" * bool(model.look))
        parts.append(tag("g", leader, words, class_=model.drawn.css))
    return Markup("").join(parts)


def _name_at_point(model: Model, x: Scale, y: Scale) -> Markup:
    """The name of a model with one layer, at its point."""
    at, height = _pixel(model, model.levels[0], x, y)
    return tag(
        "g", tag("text", model.name, x=at + 9, y=height + 4, class_="direct strong halo"), class_=model.drawn.css
    )


def _stops(data: Layers, x: Scale, y: Scale) -> tuple[HoverPoint, ...]:
    """A stop for each layer of the measured models; published curves are included where they have the same layer."""
    own = [model for model in data.models if model.look]
    depth = max(model.depth for model in own)
    shares = sorted({level.layer / model.depth if model.depth else 0.0 for model in own for level in model.levels})
    stops = []
    for share in shares:
        lines = tuple(_hover_line(model, level, data) for model in data.models if (level := _nearest(model, share)))
        first = next(level for model in own if (level := _nearest(model, share)))
        title = f"layer {share * depth:.0f}" if len({m.depth for m in own if m.depth}) == 1 else f"{100 * share:.0f} %"
        stops.append(HoverPoint(x(share), y(first.value), title, lines))
    return tuple(stops)


def _hover_line(model: Model, level: Level, data: Layers) -> tuple[SeriesStyle | None, str]:
    low, high = level.low, level.high
    between = f" ({data.told(low)} to {data.told(high)})" if low is not None and high is not None else ""
    null = f", null {data.told(level.null)}" if level.null is not None else ""
    own = f" layer {level.layer}" if not model.look else ""
    return model.drawn, f"{model.name}{own} {data.told(level.value)}{between}{null}"


def _nearest(model: Model, share: float) -> Level | None:
    """The level at this relative depth, for published curves within half a layer; None if there is none.

    The only level of a static table serves at every depth.
    """
    if not model.depth:
        return model.levels[0]
    room = 0.51 / model.depth if model.depth and not model.look else 1e-9
    distances = [(abs(level.layer / model.depth - share), level.layer, level) for level in model.levels]
    off, _, level = min(distances, key=lambda candidate: candidate[:2])
    return level if off <= room else None
