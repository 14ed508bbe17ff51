"""Models that were trained several times: their curves by layer, and what is said of them over all trainings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.context.layer_measures import MEASURES, LayerCurve, LayerData, measured
from wordworth.studies.context.word_table import stop_words_apart

Curves = Mapping[str, LayerCurve]
"""One model's measures by name."""
OVER_NULL = ("explained_published", "explained_centred", "explained_literal")
STOP_WORDS = "stop_words"
MEANINGS = {
    **{name: meaning for name, (meaning, _) in MEASURES.items()},
    **{
        f"{name}_over_null": f"{MEASURES[name][0]}; minus that of as many occurrences of any words"
        for name in OVER_NULL
    },
    STOP_WORDS: "mean self-similarity of stop words minus that of the other words",
}


def curves(look: LayerData) -> Curves:
    """Every measure of `measures.MEASURES`, explained variance over its null, and stop words minus the rest."""
    found = measured(look)
    apart = stop_words_apart(look)
    over = {f"{name}_over_null": _over_null(found[name]) for name in OVER_NULL}
    return {**found, **over, **({} if apart is None else {STOP_WORDS: apart})}


def _over_null(one: LayerCurve) -> LayerCurve:
    return LayerCurve(
        floats(one.value - one.null), floats(one.draws - one.null), np.zeros(len(one.null)), one.number, one.of
    )


def minus(one: LayerCurve, other: LayerCurve) -> LayerCurve:
    """The paired difference of two models' measures of the same items, layer by layer."""
    value, draws = floats(one.value - other.value), floats(one.draws - other.draws)
    return LayerCurve(value, draws, floats(one.null - other.null), one.number, one.of)


def over_trainings(
    runs: Sequence[LayerCurve], statistic: Callable[[Floats], Floats], seed: int
) -> tuple[float, Interval]:
    """The mean of a statistic over trainings, and its 95 % interval over trainings and words (or sentences).

    With one training the interval says nothing of others. NaN where the statistic is undefined for one of them.

    Args:
        runs: one measure of each trained model, drawn on the same items.
        statistic: of curves [..., layers], a number each [...].
        seed: that the resampled sets of trainings come from.
    """
    point = floats([statistic(one.value) for one in runs])
    by_draw = floats([statistic(one.draws) for one in runs])
    if not (np.isfinite(point).all() and np.isfinite(by_draw).all()):
        return float(point.mean()), Interval(np.nan, np.nan)
    picks = run_picks(len(runs), by_draw.shape[1], seeds.child(seed, "context", "trainings"))
    return float(point.mean()), crossed_interval(point, by_draw, picks)


def at(layer: int) -> Callable[[Floats], Floats]:
    """The statistic that is the value of one layer."""
    return lambda found: floats(found[..., layer])
