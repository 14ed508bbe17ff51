"""The warnings and the description of the method, written from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from wordworth.records import Finding
from wordworth.studies.context.layer_measures import LayerCurve, LayerData
from wordworth.studies.context.sentences import Sentences
from wordworth.studies.context.verdict import Found, doubted, layers
from wordworth.studies.layer_reader import long_texts

_GIANT, _MANY_TIMES, _FEW = 3.0, 5, 100


def warnings(found: Found, read: Sentences) -> Iterator[Finding]:
    """Yield a warning for everything that could make the numbers misleading."""
    if read.given > len(read.texts) and read.times.max() > 1:
        repeated = int((read.times - 1).sum())
        text = (
            f"{repeated:,} of {read.given:,} sentences repeat another and were left out: a word that occurs in one "
            "sentence again and again looks as if context did nothing."
        )
        yield Finding("warning.repeated", text, {"repeated": repeated, "given": read.given})
    for look, curves in found:
        yield from _of_model(look, curves)


def _of_model(look: LayerData, curves: Mapping[str, LayerCurve]) -> Iterator[Finding]:
    name, words, (_, points, width) = look.name, len(look.plan.words), look.found.pool.shape
    yield from long_texts(name, look.lengths)
    if words < _FEW:
        text = (
            f"{name}: only {words} words occur in {look.settings.contexts} or more different sentences; give more "
            "sentences, some hundreds at least."
        )
        yield Finding(f"warning.few_words.{name}", text, {"words": words})
    if rogue := doubted(curves):
        text = (
            f"{name}: three dimensions make more than half of the baseline at {layers(rogue)}. Cosines there say "
            "little about the rest of the space; look at the mean-centred self-similarity."
        )
        yield Finding(f"warning.rogue.{name}", text, {"layers": rogue})
    if "length_first" in curves:
        ratio = curves["length_first"].value / curves["length"].value
        giant = np.flatnonzero(ratio > _GIANT)
        if len(giant):
            text = f"{name}: first vectors of sentences are up to {ratio.max():.0f} times as long; try --no-first."
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


def method(found: Found) -> list[Finding]:
    """Describe the method, one finding per paragraph."""
    look = found[0][0]
    text = _METHOD.format(
        contexts=look.settings.contexts,
        first="counts" if look.settings.first else "does not count",
        top="".join(f" The last layer of {each.name} is taken {each.top}." for each, _ in found if each.top),
        pool=look.found.pool.shape[1],
        sample=len(look.plan.sampled),
        most=look.settings.occurrences,
        draws=look.settings.draws,
    )
    paragraphs = enumerate(text.split("\n\n"), 1)
    return [Finding(f"method.{number}", " ".join(paragraph.split())) for number, paragraph in paragraphs]
