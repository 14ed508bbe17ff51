"""The chart of a measure by layer: a line with a band of intervals for each model, and published curves for comparison.

The null, the value that chance alone would give, is dotted; published curves are dashed and grey. A static table has a
single layer: beside models with more layers its value is drawn as a horizontal line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from wordworth.reports.charts import lines
from wordworth.reports.charts.axes import Drawing, Size
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import PLAIN, SeriesStyle
from wordworth.reports.number_format import tick
from wordworth.sentence_formatting import percent

_DASHES = ("7 3", "9 3 2 3", "4 4")
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class LayerValue:
    """A model's value at one layer.

    Attributes:
        layer: number of the layer; 0 is the input layer.
        value: the value.
        low, high: ends of the interval; None without one.
        null: the value that chance alone would give; None without one.
    """

    layer: int
    value: float
    low: float | None = None
    high: float | None = None
    null: float | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of one model in a chart of a measure by layer.

    Attributes:
        name: name of the model.
        depth: number of layers above the input layer.
        values: values by layer.
        style: colour and marker; None for a published curve, which is grey.
    """

    name: str
    depth: int
    values: tuple[LayerValue, ...]
    style: SeriesStyle | None = None


@dataclass(frozen=True, slots=True)
class CurvesByLayer:
    """The data of a chart of a measure by layer.

    Attributes:
        curves: the curves of measured models and published curves.
        title: title of the vertical axis.
        write: function that writes a value in a tooltip.
        tick: function that writes a value on the axis.
    """

    curves: Sequence[Curve]
    title: str
    write: Callable[[float], str]
    tick: Callable[[float], str] = tick


def draw(data: CurvesByLayer, size: Size, label: str) -> Drawing:
    """Draw the curves of a measure by layer, with models of different depth stretched to the same width.

    Args:
        data: data of the chart, in which at least one model has a value.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    chart = LineChart(_lines(data.curves), _axis(data.curves), data.title, data.tick, _describe(data), ranked=False)
    return lines.draw(chart, size, label)


def _lines(curves: Sequence[Curve]) -> list[Line]:
    dashes = (_DASHES[index % len(_DASHES)] for index in count())
    layered = any(curve.depth for curve in curves)
    return [_line(curve, layered=layered) if curve.style else _published(curve, next(dashes)) for curve in curves]


def _line(curve: Curve, *, layered: bool) -> Line:
    """Return the line of a measured model.

    If other models have layers (`layered`), the single value of a static table is drawn at both ends of the axis.
    """
    if layered and not curve.depth:
        curve = replace(curve, values=(curve.values[0], replace(curve.values[0], layer=1)))
    points = tuple(_point(level, curve.depth or 1) for level in curve.values)
    return Line(curve.name, curve.style or PLAIN, points, strong=True, reach=1e-9 if curve.depth else math.inf)


def _published(curve: Curve, dash: str) -> Line:
    points = tuple(_point(level, curve.depth) for level in curve.values)
    return Line(curve.name, PLAIN, points, band=False, dash=dash, reach=0.51 / curve.depth)


def _point(level: LayerValue, depth: int) -> Point:
    return Point(level.layer / depth, level.value, level.low, level.high, level.null)


def _axis(curves: Sequence[Curve]) -> HorizontalAxis:
    """Return the axis: numbers of layers if all measured models have the same depth, else percentages of the depth."""
    depths = {curve.depth for curve in curves if curve.style and curve.depth}
    if not any(curve.depth for curve in curves):
        return HorizontalAxis("layer (0 is the input layer)", -1, 1, [0], lambda _: "0", lambda _: "layer 0")
    if len(depths) != 1:
        title = "way from the input layer to the top"
        return HorizontalAxis(title, 0, 1, _QUARTERS, percent, percent)
    (depth,) = depths
    grey = "; grey: from input to top" if any(curve.style is None for curve in curves) else ""
    ticks = [layer / depth for layer in range(depth + 1)]
    title = f"layer (0 is the input layer{grey})"
    return HorizontalAxis(title, 0, 1, ticks, lambda x: f"{x * depth:.0f}", lambda x: f"layer {x * depth:.0f}")


def _describe(data: CurvesByLayer) -> Callable[[Line, Point], str]:
    depths = {curve.name: curve.depth for curve in data.curves}

    def describe(line: Line, point: Point) -> str:
        write, low, high = data.write, point.low, point.high
        between = f" ({write(low)} to {write(high)})" if low is not None and high is not None else ""
        null = f", null {write(point.null)}" if point.null is not None else ""
        layer = f" layer {point.x * depths[line.name]:.0f}" if line.dash else ""
        return f"{line.name}{layer} {write(point.value)}{between}{null}"

    return describe
