"""The measures of one model by layer, each with its 95 % interval and its null value (the value without context)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from wordworth import seeds
from wordworth.measures.bootstrap import interval, item_weights, left_out_groups, mean_draws
from wordworth.measures.geometry.explainable_variance import Explained, explained
from wordworth.measures.geometry.intra_sentence import drawn
from wordworth.measures.geometry.mean_cosine import (
    Vectors,
    from_sums,
    iso_score,
    mean_cosine,
    resampled,
    top_share,
    unit,
)
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.models.length_batching import LengthReport
from wordworth.studies.contextuality.collect_layer_vectors import CollectedLayers
from wordworth.studies.contextuality.sampling_plan import Occurrences, SamplingPlan
from wordworth.studies.contextuality.settings import ContextSettings

TOP = 3
DESCRIBE = {
    "model": "name as given",
    "layer": "0 is the input layer",
    "measure": "see the table `measures`",
    "value": "mean over the items that `of` names",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
    "null": "the value where context does nothing, at the same n; null where there is none",
    "number": "number of items",
    "of": "what the items are",
}
MEASURES: Mapping[str, tuple[str, str]] = {
    "baseline": (
        "mean cosine of any two occurrences, of whatever words (anisotropy); subtracted from adjusted measures",
        "0: all directions used equally",
    ),
    "self_similarity": (
        "mean cosine between occurrences of one word in different places, not adjusted",
        "as many occurrences of any words (word labels permuted)",
    ),
    "self_similarity_adjusted": (
        "self-similarity minus the layer's baseline: 0 where a word's occurrences are no more alike than any others",
        "word labels permuted, minus the baseline",
    ),
    "self_similarity_repeated": (
        "self-similarity of the sampled words with repeated sentences left in, minus the baseline",
        "the same words with each sentence once",
    ),
    "self_similarity_centred": (
        "self-similarity of the sampled words after the mean of all occurrences is subtracted",
        "as many occurrences of any words, the mean subtracted",
    ),
    "intra_sentence": (
        "mean cosine of a sentence's words with the mean of all its words, minus the baseline (as published)",
        "sentences of the same lengths made of any occurrences",
    ),
    "between_words": (
        "mean cosine between the words of a sentence, minus the baseline",
        "sentences of the same lengths made of any occurrences",
    ),
    "explained_literal": (
        "share of the squared lengths of a word's occurrences along one direction: the formula as printed",
        "as many occurrences of any words",
    ),
    "explained_centred": (
        "share of the variance of a word's occurrences along one direction",
        "as many occurrences of any words",
    ),
    "explained_published": (
        "variance along the direction of the formula over the whole variance: what the published statistics hold",
        "as many occurrences of any words",
    ),
    "iso_score": (
        "how evenly the space's variance is spread over directions (IsoScore); the mean is not considered",
        "as many points, isotropic",
    ),
    "top_share": (
        f"share of the baseline that its {TOP} largest dimensions make",
        f"{TOP} of all dimensions, if all were alike",
    ),
    "length": ("mean length of a vector, the first of a sentence left out", "none"),
    "length_first": ("mean length of the first vector of a sentence", "none: compare with `length`"),
}


@dataclass(frozen=True, slots=True)
class LayerData:
    """The data from which the measures of one model are computed.

    Attributes:
        name: name of the model.
        stream: all occurrences of words or subwords that are studied.
        plan: the sampling plan: the words, the samples, and the random samples for null values.
        collected: sums and samples of the vectors.
        settings: the settings of the study.
        lengths: how many texts are longer than the model's window; None for a model without a window.
        top: a phrase that says whether the last layer is read before or after the model's final normalisation; empty
            for a model without a final normalisation.
    """

    name: str
    stream: Occurrences
    plan: SamplingPlan
    collected: CollectedLayers
    settings: ContextSettings
    lengths: LengthReport | None = None
    top: str = ""

    def rng(self, *what: object) -> np.random.Generator:
        """Return the random generator for one purpose, such as a sample; it is the same for every model.

        Args:
            what: one or more values that name the purpose.
        """
        return seeds.child(self.settings.seed, "context", *what)


@dataclass(frozen=True, slots=True)
class LayerCurve:
    """One measure by layer: a mean over items, such as words or sentences.

    Attributes:
        value: float64 [layers], the mean over the items.
        draws: float64 [draws, layers], the means over resampled items.
        null: float64 [layers], the value that the measure would have if context changed no vector; NaN if not defined.
        number: number of items.
        of: name of the items, in the plural.
    """

    value: Floats
    draws: Floats
    null: Floats
    number: int
    of: str

    def minus(self, baseline: LayerCurve) -> LayerCurve:
        """Return this curve minus a baseline, in the sample and in each resample."""
        value, draws = self.value - baseline.value, self.draws - baseline.draws
        return LayerCurve(value, draws, self.null - baseline.value, self.number, self.of)


def compute_measures(data: LayerData) -> dict[str, LayerCurve]:
    """Return name of each measure -> its curve by layer, in the order of `MEASURES`."""
    baseline = _baseline(data)
    raw, repeated = _self_similarity(data), _repeated(data)
    to_mean, between = _sentences(data)
    curves = {
        "baseline": baseline,
        "self_similarity": raw,
        "self_similarity_adjusted": raw.minus(baseline),
        "self_similarity_repeated": repeated.minus(baseline),
        "self_similarity_centred": _centred(data),
        "intra_sentence": to_mean.minus(baseline),
        "between_words": between.minus(baseline),
        **{f"explained_{name}": curve for name, curve in _explained(data)},
        "iso_score": _of_space(data, iso_score, _isotropic(data)),
        "top_share": _of_space(data, lambda points: top_share(points, TOP), TOP / data.collected.pool.shape[2]),
        "length": _length(data, first=False),
    }
    return {**curves, "length_first": _length(data, first=True)} if data.settings.first else curves


def rows(name: str, curves: Mapping[str, LayerCurve]) -> list[dict[str, Any]]:
    """Return the rows of the table `layers` for one model: the value of every measure at every layer.

    Args:
        name: name of the model.
        curves: name of each measure -> its curve by layer.
    """
    return [
        dict(zip(DESCRIBE, (name, layer, measure, *_layer(curve, layer), curve.number, curve.of), strict=True))
        for measure, curve in curves.items()
        for layer in range(len(curve.value))
    ]


def _layer(curve: LayerCurve, layer: int) -> tuple[float, float, float, float]:
    draws = curve.draws[:, layer]
    known = draws[np.isfinite(draws)]
    span = interval(known) if known.size else None
    ends = (np.nan, np.nan) if span is None else (span.low, span.high)
    return (float(curve.value[layer]), *ends, float(curve.null[layer]))


def _over(values: Floats, null: Floats, data: LayerData, of: str) -> LayerCurve:
    """Return the curve of the mean over items.

    Args:
        values: float64 [items, layers], the values of each item.
        null: float64 [items, layers], the null value of each item.
        data: the data of the model, whose settings decide the resamples.
        of: name of the items, in the plural.
    """
    draws = mean_draws(values, data.settings.draws, data.rng("draws", of))
    return LayerCurve(_mean(values), draws, _mean(null), len(values), of)


def _mean(values: Floats) -> Floats:
    known = np.isfinite(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0).sum(axis=0)
    return floats(np.divide(sums, counts, out=np.full(values.shape[1], np.nan), where=counts > 0))


def _baseline(data: LayerData) -> LayerCurve:
    pool = data.collected.pool
    weights = item_weights(pool.shape[1], data.settings.draws, data.rng("draws", "occurrences"))
    values = floats([mean_cosine(layer) for layer in pool])
    draws = np.stack([resampled(layer, weights) for layer in pool], axis=1)
    return LayerCurve(values, draws, np.zeros(len(pool)), pool.shape[1], "occurrences")


def _self_similarity(data: LayerData) -> LayerCurve:
    return _over(data.collected.words, data.collected.null, data, "words")


def _repeated(data: LayerData) -> LayerCurve:
    return _over(data.collected.repeated, data.collected.words[data.plan.sampled], data, "words sampled")


def _sets(data: LayerData, sizes: Integers, what: str) -> Integers:
    """Draw as many random occurrences as each word or sentence has, as null sets; return indices into the pool.

    The result is int64 [sum of sizes], the sets end to end. The pool is `CollectedLayers.pool`.

    Args:
        data: the data of the model.
        sizes: int64 [sets], the number of occurrences of each word or sentence.
        what: name of the draw, which seeds it.
    """
    rng, number = data.rng("sets", what), data.collected.pool.shape[1]
    return np.concatenate([rng.choice(number, size, replace=size > number) for size in sizes])


def _centred(data: LayerData) -> LayerCurve:
    sizes = data.plan.sets[0]
    starts, null = np.concatenate([[0], np.cumsum(sizes)]), _sets(data, sizes, "words")
    own, other = [], []
    for kept, pool in zip(data.collected.set_vectors, data.collected.pool, strict=True):
        middle = floats(pool).mean(axis=0)
        own.append(_mean_cosines(kept - middle, starts))
        other.append(_mean_cosines(pool[null] - middle, starts))
    return _over(np.stack(own, 1), np.stack(other, 1), data, "words sampled")


def _mean_cosines(vectors: Vectors, starts: Integers) -> Floats:
    """Return the mean cosine between different rows of the same group, float64 [groups].

    Args:
        vectors: [rows, d], group after group.
        starts: int64 [groups + 1], index of each group's first row; the last value is the number of rows.
    """
    return from_sums(np.add.reduceat(unit(vectors), starts[:-1], axis=0), np.diff(starts))


def _sentences(data: LayerData) -> tuple[LayerCurve, LayerCurve]:
    sizes = np.bincount(data.stream.sentence, minlength=len(data.stream.units))[data.plan.sentences]
    starts, null = np.concatenate([[0], np.cumsum(sizes)]), _sets(data, sizes, "sentences")
    chosen = csr_matrix((np.ones(len(null)), null, starts), shape=(len(sizes), data.collected.pool.shape[1]))
    nulls = [drawn(layer, chosen) for layer in data.collected.pool]
    real = data.collected.sentences
    return (
        _over(real.to_mean, np.stack([n.to_mean for n in nulls], 1), data, "sentences"),
        _over(real.between, np.stack([n.between for n in nulls], 1), data, "sentences"),
    )


def _explained(data: LayerData) -> Iterator[tuple[str, LayerCurve]]:
    """Yield (name, curve) for three estimators of the variance of a word's vectors that one fixed vector explains.

    The null value of a word comes from as many random occurrences as the word has in the sample.
    """
    sizes = data.plan.sets[0]
    null = _sets(data, sizes, "words")
    own = [_by_size(layer, sizes) for layer in data.collected.set_vectors]
    other = [_by_size(layer[null], sizes) for layer in data.collected.pool]
    for name in ("literal", "centred", "published"):
        values, nulls = (np.stack([getattr(layer, name) for layer in of], axis=1) for of in (own, other))
        yield name, _over(values, nulls, data, "words sampled")


def _by_size(vectors: Vectors, sizes: Integers) -> Explained:
    """Return three estimators of explained variance for each group of rows, float64 [groups] each.

    Args:
        vectors: [rows, d], group after group.
        sizes: int64 [groups], number of rows of each group.
    """
    starts = np.cumsum(sizes) - sizes
    estimates = Explained(*(np.full(len(sizes), np.nan) for _ in range(3)))
    for size in np.unique(sizes):
        alike = np.flatnonzero(sizes == size)
        of_size = explained(vectors[starts[alike, None] + np.arange(size)])
        for name in ("literal", "centred", "published"):
            getattr(estimates, name)[alike] = getattr(of_size, name)
    return estimates


def _of_space(data: LayerData, measure: Callable[[Vectors], float], null: float) -> LayerCurve:
    """Return the curve of a measure of all pool vectors together; its interval comes from leaving out tenths of them.

    Args:
        data: the data of the model.
        measure: function from the pool's vectors in one layer, [pool, d], to the value.
        null: the null value, the same for all layers.
    """
    pool, rng = data.collected.pool, data.rng("groups")
    group = rng.permutation(pool.shape[1]) % 10
    values = floats([measure(layer) for layer in pool])
    spread = floats([left_out_groups(measure, layer, group) for layer in pool])
    noise = data.rng("draws", "space").normal(size=(data.settings.draws, 1))
    nulls = np.full(len(pool), null)
    return LayerCurve(values, values + noise * spread, nulls, pool.shape[1], "occurrences")


def _isotropic(data: LayerData) -> float:
    """Return the IsoScore of as many points as the pool has, drawn from an isotropic normal distribution."""
    return iso_score(data.rng("isotropic").normal(size=data.collected.pool.shape[1:]))


def _length(data: LayerData, *, first: bool) -> LayerCurve:
    lengths, part = data.collected.lengths, int(first)
    mean, number = lengths.mean()[:, part], lengths.counts()[:, part]
    error = lengths.deviation()[:, part] / np.sqrt(np.maximum(1, number))
    noise = data.rng("draws", "lengths").normal(size=(data.settings.draws, 1))
    of = "first units of sentences" if first else "occurrences"
    return LayerCurve(mean, mean + noise * error, np.full(len(mean), np.nan), int(number[0]), of)
