"""Describe a curve in words: its start, the layer where it is furthest from there, and its end."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.reports.charts.layers import Model
from wordworth.reports.number_format import written


def describe_curves(models: Sequence[Model]) -> str:
    """Describe every model's curve, in full if there is only one."""
    if len(models) == 1:
        return _full_description(models[0])
    return ", ".join(map(_short_description, models))


def _full_description(model: Model) -> str:
    """A description such as `m from 0.91 at the input to 0.62 at layer 5, 0.68 at the top`."""
    first, last = model.levels[0], model.levels[-1]
    far = max(model.levels, key=lambda level: abs(level.value - first.value))
    if written(far.value) == written(first.value):
        return _short_description(model)
    if far is last:
        return f"{model.name} from {written(first.value)} at the input to {written(last.value)} at the top"
    return (
        f"{model.name} from {written(first.value)} at the input to {written(far.value)} at layer {far.layer}, "
        f"{written(last.value)} at the top"
    )


def _short_description(model: Model) -> str:
    """A description such as `m 0.91 to 0.62 (layer 5)`, or a static table's only value."""
    first = model.levels[0]
    far = max(model.levels, key=lambda level: abs(level.value - first.value))
    if written(far.value) == written(first.value):
        return f"{model.name} {written(first.value)}{' at every layer' * bool(model.depth)}"
    return f"{model.name} {written(first.value)} to {written(far.value)} (layer {far.layer})"
