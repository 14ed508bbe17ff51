"""What was found, in sentences that are written from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wordworth.measures.intervals import interval
from wordworth.records import Finding
from wordworth.studies.context.measures import Look, Measured
from wordworth.studies.context.sentences import Sentences

_ROGUE, _GIANT, _MANY_TIMES, _FEW = 0.5, 3.0, 5, 100
_WORTH_SAYING = 0.1
"""A baseline below this is no matter, whatever makes it."""

Found = Sequence[tuple[Look, Mapping[str, Measured]]]


def verdict(found: Found) -> Finding:
    """How far context goes: of one model by layer, of several by their most contextual layers."""
    ranked = [(_lowest(one), look, one) for look, one in found]
    numbers = {look.name: _numbers(one, layer) for layer, look, one in ranked}
    text = " ".join(_told(look.name, one, layer) for layer, look, one in ranked)
    contextual = [(look.name, layer, len(one["baseline"].value)) for layer, look, one in ranked if layer]
    if not contextual:
        headline = "Context changes nothing here."
    elif len(contextual) == 1:
        name, layer, layers = contextual[0]
        headline = f"{name}: most contextual at layer {layer} of {layers - 1}."
    else:
        headline = "Most contextual: " + ", ".join(f"{n} layer {a} of {b - 1}" for n, a, b in contextual) + "."
    return Finding("verdict", text, {"headline": headline, "models": numbers})


def _lowest(found: Mapping[str, Measured]) -> int:
    """The layer where a word's occurrences are least alike, the baseline taken off."""
    return int(np.argmin(found["self_similarity_adjusted"].value))


def _numbers(found: Mapping[str, Measured], layer: int) -> dict[str, float | int]:
    alike = found["self_similarity_adjusted"]
    span = interval(alike.draws[:, layer])
    return {"layer": layer, "value": float(alike.value[layer]), "low": span.low, "high": span.high}


def _told(name: str, found: Mapping[str, Measured], layer: int) -> str:
    alike, base = found["self_similarity_adjusted"], found["baseline"]
    span = interval(alike.draws[:, layer])
    if len(base.value) == 1:
        return (
            f"In {name} a word has one vector wherever it stands: self-similarity 1, which is "
            f"{alike.value[0]:.2f} above the cosine of any two occurrences."
        )
    explained = found["explained_literal"]
    return (
        f"In {name} two occurrences of a word have a cosine that is {alike.value[0]:.2f} above the baseline at the "
        f"input and {alike.value[layer]:.2f} (95 %: {span.low:.2f} to {span.high:.2f}) at layer {layer}, where any two "
        f"occurrences have {base.value[layer]:.2f}. There one fixed vector a word holds "
        f"{100 * explained.value[layer]:.0f} % of the squared length of its occurrences; of as many occurrences of any "
        f"words it would hold {100 * explained.null[layer]:.0f} %.{_centred(found, layer)}"
    )


def _centred(found: Mapping[str, Measured], layer: int) -> str:
    """A caution where taking the mean off names another layer than taking the baseline off."""
    value = found["self_similarity_centred"].value
    other = int(np.argmin(value))
    if other == layer:
        return ""
    return f" With the mean vector taken off instead, context tells most at layer {other} ({value[other]:.2f})."


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
    if words < _FEW:
        text = f"{name}: only {words} words stand in {look.settings.contexts} or more different sentences."
        yield Finding(f"warning.few_words.{name}", text, {"words": words})
    rogue = np.flatnonzero((found["top_share"].value > _ROGUE) & (found["baseline"].value > _WORTH_SAYING))
    if len(rogue):
        text = (
            f"{name}: three dimensions make more than half of the baseline at layer {_listed(rogue)}. Cosines there "
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


def _listed(layers: np.ndarray) -> str:
    return ", ".join(map(str, layers))


_METHOD = """\
A word counts from {contexts} different sentences on; punctuation does not count. Special tokens were read and left out;
the first unit of a sentence {first}. Layer 0 is the input layer: in BERT and GPT-2 it holds positions already.

Self-similarity is the mean cosine over all pairs of a word's occurrences, exact, for every word. The baseline is the
mean cosine over all pairs of {pool:,} occurrences drawn alike.

What needs the vectors themselves is taken over {sample} words drawn alike, at most {most} occurrences of each, from
different sentences. Explained variance depends on the number of occurrences, so its null has as many for each word.

Intervals hold the truth 95 times in 100 over {draws:,} resampled sets of words, sentences or occurrences; those of
IsoScore and of the top dimensions come from leaving out a tenth of the occurrences at a time.

The grey curves are the means of the statistics released with Ethayarajh 2019: other models on similar text, words
filtered by occurrences, repetitions left in."""


def method(found: Found) -> list[Finding]:
    """How it was done, a finding a paragraph."""
    look = found[0][0]
    told = _METHOD.format(
        contexts=look.settings.contexts,
        first="counts" if look.settings.first else "does not count",
        pool=look.found.pool.shape[1],
        sample=len(look.plan.sampled),
        most=look.settings.occurrences,
        draws=look.settings.draws,
    )
    return [Finding(f"method.{place}", " ".join(text.split())) for place, text in enumerate(told.split("\n\n"), 1)]
