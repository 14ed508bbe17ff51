"""What was found, in sentences that are written from the numbers."""

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
    """What could mislead."""
    if read.given > len(read.texts) and read.times.max() > 1:
        repeated = int((read.times - 1).sum())
        text = (
            f"{repeated:,} of {read.given:,} sentences repeat another and were left out: a word whose contexts are one "
            "sentence again and again looks as if context did nothing."
        )
        yield Finding("warning.repeated", text, {"repeated": repeated, "given": read.given})
    for look, one in found:
        yield from _of_model(look, one)


def _of_model(look: LayerData, found: Mapping[str, LayerCurve]) -> Iterator[Finding]:
    name, words, (_, points, width) = look.name, len(look.plan.words), look.found.pool.shape
    yield from long_texts(name, look.lengths)
    if words < _FEW:
        text = (
            f"{name}: only {words} words stand in {look.settings.contexts} or more different sentences; give more "
            "sentences, some hundreds at least."
        )
        yield Finding(f"warning.few_words.{name}", text, {"words": words})
    if rogue := doubted(found):
        text = (
            f"{name}: three dimensions make more than half of the baseline at {layers(rogue)}. Cosines there say "
            "little of the rest of the space; look at the mean-centred self-similarity."
        )
        yield Finding(f"warning.rogue.{name}", text, {"layers": rogue})
    if "length_first" in found:
        ratio = found["length_first"].value / found["length"].value
        giant = np.flatnonzero(ratio > _GIANT)
        if len(giant):
            text = f"{name}: first vectors of sentences are up to {ratio.max():.0f} times as long; try --no-first."
            yield Finding(f"warning.giant_first.{name}", text, {"layers": giant.tolist()})
    if points < _MANY_TIMES * width:
        null = found["iso_score"].null[0]
        text = (
            f"{name}: IsoScore needs many more points than dimensions and has {points:,} in {width}: it is too low. "
            f"As many points spread evenly would have {null:.2f}, not 1; read it beside that, not beside other studies."
        )
        yield Finding(f"warning.iso_score.{name}", text, {"points": points, "width": width})


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

Words are listed and pictured at the layer where mean-centred self-similarity is lowest, of the layers that the verdict
names; layers where three dimensions make more than half of a large baseline are passed over for this as long as there
are others.

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
