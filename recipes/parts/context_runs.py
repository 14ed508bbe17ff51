"""Models that were trained several times: their curves by layer, and statistics over all training runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.contextuality.layer_measures import MEASURES, LayerCurve, LayerData, compute_measures
from wordworth.studies.contextuality.self_similarity_tables import enough_of_both, group_means, stop_word_mask

Curves = Mapping[str, LayerCurve]
"""The measures of one model, by name."""
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
    """Compute every measure of `MEASURES`, explained variance minus its null, and stop words minus the other words."""
    measures = compute_measures(look)
    difference = _stop_words_minus_others(look)
    over = {f"{name}_over_null": _over_null(measures[name]) for name in OVER_NULL}
    return {**measures, **over, **({} if difference is None else {STOP_WORDS: difference})}


def _stop_words_minus_others(look: LayerData) -> LayerCurve | None:
    """Return the mean self-similarity of stop words minus that of other words; None with too few of either."""
    stop = stop_word_mask(look)
    if not enough_of_both(stop):
        return None
    means, draws = group_means(look, stop)
    difference, of_draws = floats(means[0] - means[1]), floats(draws[0] - draws[1])
    return LayerCurve(difference, of_draws, np.zeros(len(difference)), len(stop), "words")


def _over_null(curve: LayerCurve) -> LayerCurve:
    return LayerCurve(
        floats(curve.value - curve.null),
        floats(curve.draws - curve.null),
        np.zeros(len(curve.null)),
        curve.number,
        curve.of,
    )


def minus(curve: LayerCurve, other: LayerCurve) -> LayerCurve:
    """Return the paired difference of two models' measures of the same items, layer by layer."""
    value, draws = floats(curve.value - other.value), floats(curve.draws - other.draws)
    return LayerCurve(value, draws, floats(curve.null - other.null), curve.number, curve.of)


def over_trainings(
    runs: Sequence[LayerCurve], statistic: Callable[[Floats], Floats], seed: int
) -> tuple[float, Interval]:
    """Average a statistic over training runs, with a 95 % interval over runs and words (or sentences).

    With one run the interval says nothing about other runs. It is NaN where the statistic is undefined for a run.

    Args:
        runs: one measure of each trained model, resampled with the same items.
        statistic: maps curves [..., layers] to one number each [...].
        seed: seed of the resampled sets of runs.
    """
    point = floats([statistic(run.value) for run in runs])
    by_draw = floats([statistic(run.draws) for run in runs])
    if not (np.isfinite(point).all() and np.isfinite(by_draw).all()):
        return float(point.mean()), Interval(np.nan, np.nan)
    picks = run_picks(len(runs), by_draw.shape[1], seeds.child(seed, "context", "trainings"))
    return float(point.mean()), crossed_interval(point, by_draw, picks)


def at(layer: int) -> Callable[[Floats], Floats]:
    """Return the statistic that picks the value of one layer."""
    return lambda curves: floats(curves[..., layer])
