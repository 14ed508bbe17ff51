"""What was found, in sentences that are written from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wordworth.measures.intervals import interval
from wordworth.records import Finding
from wordworth.studies.context.measures import Look, Measured
from wordworth.studies.context.sentences import Sentences
from wordworth.studies.layered import long_texts

_ROGUE, _GIANT, _MANY_TIMES, _FEW = 0.5, 3.0, 5, 100
_TOGETHER = 0.95
_WORTH_SAYING = 0.1
"""A baseline below this is no matter, whatever makes it."""

Found = Sequence[tuple[Look, Mapping[str, Measured]]]


def verdict(found: Found) -> Finding:
    """How far context goes: of one model by layer, of several by their most contextual layers."""
    text = " ".join(_told(look.name, one) for look, one in found)
    contextual = [(look.name, one["baseline"]) for look, one in found if _has_layers(one)]
    where = {look.name: _layers(lowest(one["self_similarity_adjusted"])) for look, one in found}
    if not contextual:
        headline = "Context changes nothing here."
    elif len(contextual) == 1:
        ((name, base),) = contextual
        headline = f"{name}: most contextual at {where[name]} of {len(base.value) - 1}."
    else:
        told = ", ".join(f"{name} {where[name]} of {len(base.value) - 1}" for name, base in contextual)
        headline = f"Most contextual: {told}."
    return Finding("verdict", text, {"headline": headline, "models": {look.name: _numbers(one) for look, one in found}})


def _has_layers(found: Mapping[str, Measured]) -> bool:
    return len(found["baseline"].value) > 1


def lowest(one: Measured) -> list[int]:
    """The layer where a measure is lowest, and those whose paired difference from it could be nothing; ascending.

    A layer is left out where the lower bound of its difference is above 0, and the bounds of all layers hold together
    95 times in 100: the largest of their standardised errors over a resampled set decides how wide they are. Else the
    lowest of many layers that are alike would seem surely lower than some, since it was looked for.
    """
    least = int(np.argmin(one.value))
    above, draws = one.value - one.value[least], one.draws - one.draws[:, [least]]
    spread = draws.std(axis=0)
    varies = spread > 0
    if not varies.any():
        return np.flatnonzero(above <= 0).tolist()
    errors = (draws[:, varies] - above[varies]) / spread[varies]
    return np.flatnonzero(above <= np.quantile(errors.max(axis=1), _TOGETHER) * spread).tolist()


def _numbers(found: Mapping[str, Measured]) -> dict[str, float | int | list[int]]:
    alike = found["self_similarity_adjusted"]
    layer = int(np.argmin(alike.value))
    span = interval(alike.draws[:, layer])
    value = float(alike.value[layer])
    return {"layer": layer, "layers": lowest(alike), "value": value, "low": span.low, "high": span.high}


def _told(name: str, found: Mapping[str, Measured]) -> str:
    alike, base = found["self_similarity_adjusted"], found["baseline"]
    layer = int(np.argmin(alike.value))
    span = interval(alike.draws[:, layer])
    if not _has_layers(found):
        return (
            f"In {name} a word has one vector wherever it stands: self-similarity 1, which is "
            f"{alike.value[0]:.2f} above the cosine of any two occurrences."
        )
    explained = found["explained_literal"]
    at_input = f"{alike.value[0]:.2f} above the baseline at the input and " if layer else ""
    here = f"at layer {layer}" if layer else "above the baseline at the input, the least of all layers"
    return (
        f"In {name} two occurrences of a word have a cosine that is {at_input}{alike.value[layer]:.2f} (95 %: "
        f"{span.low:.2f} to {span.high:.2f}) {here}, where any two occurrences have {base.value[layer]:.2f}. There one "
        f"fixed vector a word holds {100 * explained.value[layer]:.0f} % of the squared length of its occurrences; of "
        f"as many occurrences of any words it would hold {100 * explained.null[layer]:.0f} %.{_undecided(alike)}"
        f"{_centred(found, layer)}"
    )


def _undecided(alike: Measured) -> str:
    """That the layer just named is not alone, where that is so."""
    layers = lowest(alike)
    return f" Which of {_layers(layers)} is lowest these sentences cannot tell." if len(layers) > 1 else ""


def _centred(found: Mapping[str, Measured], layer: int) -> str:
    """A caution where taking the mean off surely names another layer than taking the baseline off."""
    centred = found["self_similarity_centred"]
    others = lowest(centred)
    if layer in others:
        return ""
    least = min(centred.value[other] for other in others)
    return f" With the mean vector taken off instead, context tells most at {_layers(others)} ({least:.2f})."


def warnings(found: Found, read: Sentences) -> Iterator[Finding]:
    """What could mislead."""
    if read.given > len(read.texts) and read.times.max() > 1:
        repeated = int((read.times - 1).sum())
        text = (
            f"{repeated:,} of {read.given:,} sentences repeat another and were left out: a word whose contexts are one "
            "sentence again and again looks as if context did nothing. The measure with repetitions stands beside."
        )
        yield Finding("warning.repeated", text, {"repeated": repeated, "given": read.given})
    for look, one in found:
        yield from _of_model(look, one)


def _of_model(look: Look, found: Mapping[str, Measured]) -> Iterator[Finding]:
    name, words, (_, points, width) = look.name, len(look.plan.words), look.found.pool.shape
    yield from long_texts(name, look.lengths)
    if words < _FEW:
        text = f"{name}: only {words} words stand in {look.settings.contexts} or more different sentences."
        yield Finding(f"warning.few_words.{name}", text, {"words": words})
    rogue = np.flatnonzero((found["top_share"].value > _ROGUE) & (found["baseline"].value > _WORTH_SAYING))
    if len(rogue):
        text = (
            f"{name}: three dimensions make more than half of the baseline at {_layers(rogue.tolist())}. Cosines there "
            "say little of the rest of the space; look at the mean-centred self-similarity."
        )
        yield Finding(f"warning.rogue.{name}", text, {"layers": rogue.tolist()})
    if "length_first" in found:
        ratio = found["length_first"].value / found["length"].value
        giant = np.flatnonzero(ratio > _GIANT)
        if len(giant):
            text = f"{name}: first vectors of sentences are up to {ratio.max():.0f} times as long; try --no-first."
            yield Finding(f"warning.giant_first.{name}", text, {"layers": giant.tolist()})
    if points < _MANY_TIMES * width:
        text = (
            f"{name}: IsoScore is taken from {points:,} points in {width} dimensions and comes out too low; compare it "
            "with its null only, which is as low."
        )
        yield Finding(f"warning.iso_score.{name}", text, {"points": points, "width": width})


def _layers(layers: Sequence[int]) -> str:
    """`layer 3`, `layers 3, 4 and 6`."""
    *before, last = map(str, layers)
    return f"layers {', '.join(before)} and {last}" if before else f"layer {last}"


_METHOD = """\
A word counts from {contexts} different sentences on; punctuation does not count. Special tokens were read and left out;
the first unit of a sentence {first}. Layer 0 is the input layer: in BERT and GPT-2 it holds positions already.{top}

Self-similarity is the mean cosine over all pairs of a word's occurrences, exact, for every word. The baseline is the
mean cosine over all pairs of {pool:,} occurrences drawn alike.

What needs the vectors themselves is taken over {sample} words drawn alike, at most {most} occurrences of each, from
different sentences. Explained variance depends on the number of occurrences, so its null has as many for each word.

Intervals hold the truth 95 times in 100 over {draws:,} resampled sets of words, sentences or occurrences; those of
IsoScore and of the top dimensions come from leaving out a tenth of the occurrences at a time. Each is of its layer
alone: of many, some miss. Only which layers may be lowest is said with all of them in view, and right 95 times in 100;
the value at a layer that was picked as the lowest tends to be a little too low.

The grey curves are the means of the statistics released with Ethayarajh 2019: other models on similar text, words
filtered by occurrences, repetitions left in."""


def method(found: Found) -> list[Finding]:
    """How it was done, a finding a paragraph."""
    look = found[0][0]
    told = _METHOD.format(
        contexts=look.settings.contexts,
        first="counts" if look.settings.first else "does not count",
        top="".join(f" The last layer of {look.name} is taken {look.top}." for look, _ in found if look.top),
        pool=look.found.pool.shape[1],
        sample=len(look.plan.sampled),
        most=look.settings.occurrences,
        draws=look.settings.draws,
    )
    return [Finding(f"method.{place}", " ".join(text.split())) for place, text in enumerate(told.split("\n\n"), 1)]
