"""The findings of the study `context`: the layers with the most contextual vectors, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.bootstrap import interval
from wordworth.records import Finding
from wordworth.sentence_formatting import decimal
from wordworth.studies.contextuality.layer_measures import LayerCurve, LayerData
from wordworth.studies.contextuality.read_sentences import Sentences
from wordworth.studies.word_vectors_by_layer import long_texts

Results = Sequence[tuple[LayerData, Mapping[str, LayerCurve]]]
_TOGETHER = 0.95
_HALF, _LARGE = 0.5, 0.1
"""A layer is unreliable if its baseline exceeds `_LARGE` and three dimensions make up more than `_HALF` of it."""
_TOO_FEW = 50
"""With fewer words than these, the verdict says that they are too few to rely on."""


@dataclass(frozen=True, slots=True)
class MostContextualLayers:
    """The layers of one model at which the vectors of a word's occurrences are least alike.

    Attributes:
        published: the layer where self-similarity, less the mean cosine of random words, is lowest (Ethayarajh 2019),
            and the layers whose value is not significantly larger.
        centred: the layer where self-similarity of centred vectors is lowest, and the layers whose value is not
            significantly larger.
        unreliable_layers: the layers at which the mean cosine of random words is large and three dimensions contribute
            most of it, so that cosines are unreliable.
        explorer_layer: the layer at which words are listed and plotted.
    """

    published: list[int]
    centred: list[int]
    unreliable_layers: list[int]
    explorer_layer: int

    @property
    def agreed(self) -> list[int]:
        """The layers that are in both `published` and `centred`, and so are most contextual by both measures.

        Layers in `unreliable_layers` are left out, unless nothing would remain.
        """
        both = [layer for layer in self.published if layer in self.centred]
        return [layer for layer in both if layer not in self.unreliable_layers] or both

    @property
    def is_unreliable(self) -> bool:
        """True if `published` and `centred` have layers in common, and all of these are in `unreliable_layers`."""
        return bool(self.agreed) and self.agreed[0] in self.unreliable_layers

    @property
    def named(self) -> list[int]:
        """The layers that a verdict names: `agreed` or, if it is empty, all in `published` or `centred`, ascending."""
        return self.agreed or sorted({*self.published, *self.centred})

    @classmethod
    def of(cls, curves: Mapping[str, LayerCurve]) -> MostContextualLayers:
        """Find the most contextual layers of one model.

        Args:
            curves: name of each measure -> its curve by layer.
        """
        centred = curves["self_similarity_centred"]
        alike = cls(lowest(curves["self_similarity_adjusted"]), lowest(centred), unreliable_layers(curves), 0)
        above = range(min(1, len(centred.value) - 1), len(centred.value))
        sure = ([layer for layer in layers if layer not in alike.unreliable_layers] for layers in (alike.named, above))
        explorer_layer = min(next(filter(None, sure), alike.centred), key=lambda layer: centred.value[layer])
        return cls(alike.published, alike.centred, alike.unreliable_layers, explorer_layer)


def lowest(curve: LayerCurve) -> list[int]:
    """Return the layer where a measure is lowest, and the layers that are not significantly higher, ascending.

    A layer is significantly higher if its difference from the lowest layer, paired by resample, has a lower bound above
    0. The bounds hold for all layers simultaneously at 95 %: their width follows from the largest standardised error
    over the layers in each resample. With an interval for each layer by itself, the lowest of many equal layers would
    seem significantly lower than others just because it was selected.
    """
    least = int(np.argmin(curve.value))
    above, draws = curve.value - curve.value[least], curve.draws - curve.draws[:, [least]]
    spread = draws.std(axis=0)
    varies = spread > 0
    if not varies.any():
        return np.flatnonzero(above <= 0).tolist()
    errors = (draws[:, varies] - above[varies]) / spread[varies]
    return np.flatnonzero(above <= np.quantile(errors.max(axis=1), _TOGETHER) * spread).tolist()


def has_layers(curves: Mapping[str, LayerCurve]) -> bool:
    """Return True for a model with layers above its input, False for a static table."""
    return len(curves["baseline"].value) > 1


def unreliable_layers(curves: Mapping[str, LayerCurve]) -> list[int]:
    """Return the layers whose cosines are unreliable, as three dimensions dominate the mean cosine of random words.

    At these layers the mean cosine is large, and three of the vectors' dimensions contribute over half of it.

    A static table has no such layers.
    """
    rogue = (curves["top_share"].value > _HALF) & (curves["baseline"].value > _LARGE)
    return np.flatnonzero(rogue).tolist() if has_layers(curves) else []


def verdict(results: Results) -> Finding:
    """Return the finding `verdict`, which names the most contextual layers of each model, one line per model."""
    where = {data.name: MostContextualLayers.of(curves) for data, curves in results}
    lines = [_sentence(data.name, curves, where[data.name], alone=len(results) == 1) for data, curves in results]
    text = "\n".join(lines) if len(results) > 1 else lines[0] + _one_vector(results[0][1])
    numbers = {data.name: _numbers(curves, where[data.name]) for data, curves in results}
    return Finding("verdict", text, {"headline": _headline(results, where), "models": numbers})


def _headline(results: Results, where: Mapping[str, MostContextualLayers]) -> str:
    """Return the headline of the verdict, without the caveats, which the sentences of the verdict have."""
    tops = {data.name: len(curves["baseline"].value) - 1 for data, curves in results if has_layers(curves)}
    if not tops:
        return "Context changes nothing here."
    if len(tops) > 1:
        named = [f"{name} {_layer_names(where[name])} of {top}" for name, top in tops.items()]
        return f"Most contextual: {', '.join(named)}."
    ((name, top),) = tops.items()
    return f"{name}: most contextual at {_layer_names(where[name])} of {top}."


def _layer_names(most: MostContextualLayers) -> str:
    return layers(most.named, "and" if most.agreed else "or")


def _numbers(curves: Mapping[str, LayerCurve], where: MostContextualLayers) -> dict[str, float | int | list[int]]:
    alike = curves["self_similarity_adjusted"]
    least = int(np.argmin(alike.value))
    span = interval(alike.draws[:, least])
    ends = {"value": float(alike.value[least]), "low": span.low, "high": span.high}
    by = {"published": where.published, "centred": where.centred, "doubted": where.unreliable_layers}
    return {"layer": where.explorer_layer, "layers": where.named, **by, **ends}


def _sentence(name: str, curves: Mapping[str, LayerCurve], where: MostContextualLayers, *, alone: bool) -> str:
    alike, centred = curves["self_similarity_adjusted"], curves["self_similarity_centred"].value
    if not has_layers(curves):
        return (
            f"{name}: a word has the same vector in every context; its self-similarity, 1, is {alike.value[0]:.2f} "
            "above the cosine of any two occurrences."
        )
    also = "the same" if where.centred == where.published else f"at {layers(where.centred, 'or')}"
    few = f" This rests on only {alike.number} words, too few to rely on." * (alike.number < _TOO_FEW)
    return (
        f"{name}: by the published measure a word's occurrences are least alike at {layers(where.published, 'or')} "
        f"({_above(alike, alone=alone)}); with the mean vector subtracted, {also} "
        f"({min(centred[layer] for layer in where.centred):.2f}).{_caveat(where)}{few}"
    )


def _caveat(where: MostContextualLayers) -> str:
    """Return the caveat about the layers that the headline names; empty if there is none."""
    if not where.agreed:
        return " The measures do not agree on a layer."
    if where.is_unreliable:
        return f" Three dimensions make more than half of the average cosine at {layers(where.agreed)}."
    return ""


def _above(curve: LayerCurve, *, alone: bool) -> str:
    """Return a phrase on the lowest self-similarity above the baseline over all layers.

    Args:
        curve: self-similarity minus the baseline, by layer.
        alone: whether the study has a single model; then the phrase has the interval and the input layer's value too.
    """
    least = int(np.argmin(curve.value))
    span, at_input = interval(curve.draws[:, least]), f"; {curve.value[0]:.2f} at the input" * bool(least)
    value = curve.value[least]
    words = f"their cosine minus that of any two is {decimal(value, 2)}"
    if value >= 0:
        words = f"their cosine is {value:.2f} above that of any two"
    return f"{words}, 95 %: {span.low:.2f} to {span.high:.2f}{at_input}" if alone else words


def _one_vector(curves: Mapping[str, LayerCurve]) -> str:
    """Return a sentence on how much of a word one fixed vector explains; empty for a static table.

    The layer is the one where self-similarity minus the baseline is lowest.
    """
    if not has_layers(curves):
        return ""
    explained, least = curves["explained_literal"], int(np.argmin(curves["self_similarity_adjusted"].value))
    return (
        f" At layer {least} one fixed vector per word explains {100 * explained.value[least]:.0f} % of the squared "
        "length of its occurrences; for as many occurrences of any words it would explain "
        f"{100 * explained.null[least]:.0f} %."
    )


def layers(indices: Sequence[int], last: str = "and") -> str:
    """Return a phrase that names layers by their numbers.

    Args:
        indices: numbers of the layers.
        last: word before the last number, such as `and`.

    >>> layers([3]), layers([3, 4, 6]), layers([5, 6], "or")
    ('layer 3', 'layers 3, 4 and 6', 'layer 5 or 6')
    """
    *before, end = map(str, indices)
    many = "s" * (last == "and")
    return f"layer{many} {', '.join(before)} {last} {end}" if before else f"layer {end}"


_GIANT, _MANY_TIMES, _FEW_WORDS = 3.0, 5, 100


def warnings(results: Results, read: Sentences) -> Iterator[Finding]:
    """Yield a warning for each problem that may make the numbers of a `context` study misleading."""
    if read.total > len(read.texts) and read.times.max() > 1:
        repeated = int((read.times - 1).sum())
        text = (
            f"{repeated:,} of {read.total:,} sentences repeat another and were left out: a word that occurs in one "
            "sentence again and again looks as if context did nothing."
        )
        yield Finding("warning.repeated", text, {"repeated": repeated, "given": read.total})
    for data, curves in results:
        yield from _of_model(data, curves)


def _of_model(data: LayerData, curves: Mapping[str, LayerCurve]) -> Iterator[Finding]:
    name, words, (_, points, width) = data.name, len(data.plan.words), data.collected.pool.shape
    yield from long_texts(name, data.lengths)
    if words < _FEW_WORDS:
        text = (
            f"{name}: only {words} words occur in {data.settings.contexts} or more different sentences; give more "
            "sentences, some hundreds at least."
        )
        yield Finding(f"warning.few_words.{name}", text, {"words": words})
    if rogue := unreliable_layers(curves):
        text = (
            f"{name}: three dimensions make more than half of the baseline at {layers(rogue)}. Cosines there say "
            "little about the rest of the space; look at the mean-centred self-similarity."
        )
        yield Finding(f"warning.rogue.{name}", text, {"layers": rogue})
    if "length_first" in curves:
        ratio = curves["length_first"].value / curves["length"].value
        giant = np.flatnonzero(ratio > _GIANT)
        if len(giant):
            times = f"{name}: first vectors of sentences are up to {ratio.max():.0f} times as long"
            text = f"{times}; leave them out (the option no-first; in Python first=False) and compare."
            yield Finding(f"warning.giant_first.{name}", text, {"layers": giant.tolist()})
    if points < _MANY_TIMES * width:
        null = curves["iso_score"].null[0]
        text = (
            f"{name}: IsoScore needs many more points than dimensions, and {points:,} points in {width} dimensions "
            f"make it too low. As many isotropic points would score {null:.2f}, not 1; compare it with that, not with "
            "other studies."
        )
        yield Finding(f"warning.iso_score.{name}", text, {"points": points, "width": width})


_METHOD = """\
A word is studied if it occurs in {contexts} different sentences or more; punctuation does not count. Special tokens
were read and left out; the first unit of a sentence {first}. Layer 0 is the input layer: in BERT and GPT-2 it already
contains positions.{top}

Self-similarity is the mean cosine over all pairs of a word's occurrences, exact, for every word. The baseline is the
mean cosine over all pairs of {pool:,} occurrences drawn at random.

Measures that need the vectors themselves use {sample} words drawn at random, with at most {most} occurrences of each,
from different sentences. Explained variance depends on the number of occurrences, so its null has as many for each
word.

Intervals are 95 % intervals over {draws:,} resampled sets of words, sentences or occurrences; those of IsoScore and of
the top dimensions come from leaving out a tenth of the occurrences at a time. Each interval is for its layer alone, so
among many layers some will miss. The layers that may be lowest are chosen with all layers taken together, at 95 %
confidence; the value at the layer picked as the lowest tends to be slightly too low.

Words are listed and plotted at the layer where mean-centred self-similarity is lowest, among the layers that the
verdict names; layers where three dimensions make more than half of a large baseline are skipped if there are others.

The grey curves are the means of the statistics released with Ethayarajh 2019: other models on similar text, words
filtered by occurrences, repetitions left in."""


def method(results: Results) -> list[Finding]:
    """Return the findings that describe the method of a `context` study; each finding is one paragraph of text."""
    data = results[0][0]
    text = _METHOD.format(
        contexts=data.settings.contexts,
        first="counts" if data.settings.first else "does not count",
        top="".join(f" The last layer of {each.name} is taken {each.top}." for each, _ in results if each.top),
        pool=data.collected.pool.shape[1],
        sample=len(data.plan.sampled),
        most=data.settings.occurrences,
        draws=data.settings.draws,
    )
    paragraphs = enumerate(text.split("\n\n"), 1)
    return [Finding(f"method.{number}", " ".join(paragraph.split())) for number, paragraph in paragraphs]
