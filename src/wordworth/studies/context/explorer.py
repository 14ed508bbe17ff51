"""The word explorer of one model: words with their occurrences in a plane, their curves, and their neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from wordworth.measures.geometry.cosine import error_of_mean
from wordworth.measures.geometry.nearest_centroid import unit_or_zero
from wordworth.measures.weighted_sums import Integers
from wordworth.records import Finding
from wordworth.studies.context.explorer_words import plain, tells
from wordworth.studies.context.layer_measures import LayerData
from wordworth.studies.context.occurrence_text import Written
from wordworth.studies.context.sense_tags import Tags
from wordworth.studies.word_explorer import UNKNOWN, ExplorerWord, Pool, Row, neighbours, project, rounded
from wordworth.text_format import count_of

WORDS = {
    "entry": "number in the explorer, within the record",
    "model": "name as given",
    "word": "as the model sees it",
    "contexts": "number of different sentences it occurs in",
    "occurrences": "number of occurrences in them",
    "senses": "senses of the plotted occurrences, most frequent first; empty without tags",
    "counts": "plotted occurrences of each sense",
    "layer": "layer of the plot and the neighbours: where words are least alike by the mean-centred measure",
    "shown": "share of the plotted occurrences' variance that the plane explains",
    "self_similarity": "mean cosine of two occurrences by layer from the input layer on, not adjusted",
    "low": "lower end of its 95 % interval, from leaving out one plotted occurrence at a time",
    "high": "upper end of the interval",
}
_OF_A_FORM = 2
_SURE = 0.975


def explorer(look: LayerData, layer: int, text: Written, tags: Tags | None) -> tuple[list[Row], list[Row], list[Row]]:
    """Build the tables `explorer`, `occurrences` and `neighbours`, in the order of `SamplingPlan.shown`.

    Args:
        look: one model's data.
        layer: the layer of the plots and the neighbours.
        text: the text at the plotted occurrences.
        tags: the words tagged with senses; None for data without tags.
    """
    tables = (list[Row](), list[Row](), list[Row]())
    pool, begin = _pool(look, layer), 0
    for index, occurrences in look.plan.shown.items():
        begin, own = begin + len(occurrences), slice(begin, begin + len(occurrences))
        vectors = _vectors(look, occurrences)
        senses, names, counts = _senses(text.senses[own], tags)
        word = ExplorerWord(
            entry=len(tables[0]),
            units=unit_or_zero(vectors[layer]),
            senses=senses,
            contexts=text.contexts[own],
            sentences=tuple(look.stream.sentence[occurrences].tolist()),
            forms=frozenset({plain(_form(look, index))}),
        )
        rows, share = project(word)
        picture = (names, counts, layer, rounded(share))
        values = (word.entry, look.name, *_form_and_counts(look, index), *picture, *_curve(look, index, vectors))
        tables[0].append(dict(zip(WORDS, values, strict=True)))
        tables[1].extend(rows)
        tables[2].extend(neighbours(word, pool))
    return tables


def _form(look: LayerData, word: int) -> str:
    return look.stream.forms[int(look.plan.words[word])]


def _form_and_counts(look: LayerData, word: int) -> tuple[str, int, int]:
    """Return the form of a word, its number of contexts and its number of occurrences."""
    return _form(look, word), int(look.plan.contexts[word]), int(look.plan.members.counts[word])


def _vectors(look: LayerData, occurrences: Integers) -> NDArray[np.float32]:
    """Return the vectors of one word's plotted occurrences, [layers, n, d].

    Some were kept for the measures, the others for the explorer alone.
    """
    ready = np.isin(occurrences, look.plan.sets[1])
    layers, _, width = look.found.kept.shape
    vectors = np.empty((layers, len(occurrences), width), np.float32)
    vectors[:, ready] = look.found.kept[:, np.isin(look.plan.sets[1], occurrences)]
    vectors[:, ~ready] = look.found.beside[:, np.isin(look.plan.explorer_only, occurrences)]
    return vectors


def _senses(senses: Integers, tags: Tags | None) -> tuple[Integers, list[str], list[int]]:
    """Number the senses that occur, most frequent first; return each occurrence's number, and the names and counts."""
    if tags is None:
        return senses, [], []
    counts = Counter(sense for sense in senses.tolist() if sense != UNKNOWN)
    order = sorted(counts, key=lambda sense: (-counts[sense], sense))
    several = len({tags.labels[sense][1] for sense in order}) > 1
    names = [f"{word}, {label}" if several else label for label, word in (tags.labels[sense] for sense in order)]
    rank_of = {UNKNOWN: UNKNOWN, **{sense: rank for rank, sense in enumerate(order)}}
    return np.array([rank_of[sense] for sense in senses.tolist()]), names, [counts[sense] for sense in order]


def _curve(look: LayerData, word: int, vectors: NDArray[np.float32]) -> list[list[float | None]]:
    """Return self-similarity by layer over all occurrences, and the ends of its interval.

    The standard error is the jackknife's over the plotted occurrences, scaled to the number of all (Student's t, with
    the number of plotted occurrences minus one as degrees of freedom).
    """
    value, number, whole = look.found.words[word], vectors.shape[1], int(look.plan.members.counts[word])
    half = student.ppf(_SURE, number - 1) * error_of_mean(vectors) * np.sqrt(number / whole)
    return [[rounded(v) for v in np.clip(ends, -1, 1)] for ends in (value, value - half, value + half)]


def _pool(look: LayerData, layer: int) -> Pool:
    """Return the candidate neighbours: kept occurrences, at most two of a form, without stop words."""
    occurrences = np.concatenate([look.plan.sets[1], look.plan.pool])
    names = [plain(look.stream.forms[form]) for form in look.stream.form[occurrences]]
    seen, chosen = Counter[str](), list[int]()
    for row, name in enumerate(names):
        if tells(name) and seen[name] < _OF_A_FORM:
            seen[name] += 1
            chosen.append(row)
    of_words = [row for row in chosen if row < len(look.plan.sets[1])]
    of_pool = [row - len(look.plan.sets[1]) for row in chosen[len(of_words) :]]
    vectors = np.concatenate([look.found.kept[layer, of_words], look.found.pool[layer, of_pool]])
    sentences = look.stream.sentence[occurrences[chosen]].tolist()
    return Pool.of(unit_or_zero(vectors), tuple(names[row] for row in chosen), tuple(sentences))


def told(look: LayerData, text: Written) -> Iterator[Finding]:
    """Describe how the explorer was made, and warn of tags that it misses."""
    if look.plan.shown:
        yield Finding("method.explorer", " ".join(_METHOD.format(most=look.settings.occurrences).split()))
    if text.missed:
        what = (
            f"{look.name}: {count_of(text.missed, 'tagged word')} of {text.tags:,} in the sentences of the explorer "
            "start inside a word as the model splits the text, and are shown without their sense."
        )
        yield Finding("warning.missed_tags", what, {"missed": text.missed, "tags": text.tags})


_METHOD = """\
The explorer plots at most {most} occurrences of a word, from different sentences, in the plane of their own two largest
principal components. A word's self-similarity is over all its occurrences; its interval comes from leaving out one
plotted occurrence at a time. The two contexts are of its two most frequent senses where these are known, else its two
least similar occurrences. Neighbours are the nearest of the occurrences that the measures keep, without stop words, at
most two of a form, by cosine after the mean of those is subtracted."""
