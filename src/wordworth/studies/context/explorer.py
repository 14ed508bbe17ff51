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
    "model": "as it was given",
    "word": "as the model sees it",
    "contexts": "different sentences it stands in",
    "occurrences": "how often it stands in them",
    "senses": "of those pictured, as people call them, the commonest first; none where nobody tagged them",
    "counts": "pictured occurrences of each",
    "layer": "of the picture and the neighbours: where words are least alike by the mean-centred measure",
    "shown": "share of the variance of the pictured occurrences that the plane holds",
    "self_similarity": "mean cosine of two occurrences by layer from the input on, not adjusted",
    "low": "lower end of its 95 % interval, from leaving out one pictured occurrence at a time",
    "high": "upper end of it",
}
_OF_A_FORM = 2
_SURE = 0.975


def explorer(look: LayerData, layer: int, text: Written, tags: Tags | None) -> tuple[list[Row], list[Row], list[Row]]:
    """The tables `explorer`, `occurrences` and `neighbours`: in the order of `Plan.shown`."""
    found = (list[Row](), list[Row](), list[Row]())
    pool, begin = _pool(look, layer), 0
    for place, occurrences in look.plan.shown.items():
        begin, mine = begin + len(occurrences), slice(begin, begin + len(occurrences))
        vectors = _vectors(look, occurrences)
        senses, names, counts = _senses(text.senses[mine], tags)
        shown = ExplorerWord(
            entry=len(found[0]),
            units=unit_or_zero(vectors[layer]),
            senses=senses,
            contexts=text.contexts[mine],
            sentences=tuple(look.stream.sentence[occurrences].tolist()),
            forms=frozenset({plain(_form(look, place))}),
        )
        rows, share = project(shown)
        picture = (names, counts, layer, rounded(share))
        values = (shown.entry, look.name, *_about(look, place), *picture, *_curve(look, place, vectors))
        found[0].append(dict(zip(WORDS, values, strict=True)))
        found[1].extend(rows)
        found[2].extend(neighbours(shown, pool))
    return found


def _form(look: LayerData, place: int) -> str:
    return look.stream.forms[int(look.plan.words[place])]


def _about(look: LayerData, place: int) -> tuple[str, int, int]:
    """The word, its contexts and its occurrences."""
    return _form(look, place), int(look.plan.contexts[place]), int(look.plan.members.counts[place])


def _vectors(look: LayerData, occurrences: Integers) -> NDArray[np.float32]:
    """[layers, n, d]: of one word's pictured occurrences, some kept for the measures, some for the explorer alone."""
    ready = np.isin(occurrences, look.plan.sets[1])
    layers, _, width = look.found.kept.shape
    found = np.empty((layers, len(occurrences), width), np.float32)
    found[:, ready] = look.found.kept[:, np.isin(look.plan.sets[1], occurrences)]
    found[:, ~ready] = look.found.beside[:, np.isin(look.plan.explorer_only, occurrences)]
    return found


def _senses(senses: Integers, tags: Tags | None) -> tuple[Integers, list[str], list[int]]:
    """Each occurrence's sense as a place among those there are, the commonest first; their names and counts."""
    if tags is None:
        return senses, [], []
    counts = Counter(sense for sense in senses.tolist() if sense != UNKNOWN)
    order = sorted(counts, key=lambda sense: (-counts[sense], sense))
    several = len({tags.labels[sense][1] for sense in order}) > 1
    names = [f"{word}, {label}" if several else label for label, word in (tags.labels[sense] for sense in order)]
    places = {UNKNOWN: UNKNOWN, **{sense: place for place, sense in enumerate(order)}}
    return np.array([places[sense] for sense in senses.tolist()]), names, [counts[sense] for sense in order]


def _curve(look: LayerData, place: int, vectors: NDArray[np.float32]) -> list[list[float | None]]:
    """Self-similarity by layer over all occurrences, and the ends of its interval.

    The standard error is the jackknife's over those pictured, brought to the number of all (Student's t with as many
    degrees of freedom as were pictured, less one).
    """
    value, number, whole = look.found.words[place], vectors.shape[1], int(look.plan.members.counts[place])
    half = student.ppf(_SURE, number - 1) * error_of_mean(vectors) * np.sqrt(number / whole)
    return [[rounded(one) for one in np.clip(ends, -1, 1)] for ends in (value, value - half, value + half)]


def _pool(look: LayerData, layer: int) -> Pool:
    """What neighbours are looked for among: occurrences kept for the measures, of a form two at most, no stop words."""
    places = np.concatenate([look.plan.sets[1], look.plan.pool])
    names = [plain(look.stream.forms[form]) for form in look.stream.form[places]]
    seen, chosen = Counter[str](), list[int]()
    for row, name in enumerate(names):
        if tells(name) and seen[name] < _OF_A_FORM:
            seen[name] += 1
            chosen.append(row)
    of_words = [row for row in chosen if row < len(look.plan.sets[1])]
    of_pool = [row - len(look.plan.sets[1]) for row in chosen[len(of_words) :]]
    vectors = np.concatenate([look.found.kept[layer, of_words], look.found.pool[layer, of_pool]])
    sentences = look.stream.sentence[places[chosen]].tolist()
    return Pool.of(unit_or_zero(vectors), tuple(names[row] for row in chosen), tuple(sentences))


def told(look: LayerData, text: Written) -> Iterator[Finding]:
    """How the explorer was made, and what could mislead in it."""
    if look.plan.shown:
        yield Finding("method.explorer", " ".join(_METHOD.format(most=look.settings.occurrences).split()))
    if text.missed:
        what = (
            f"{look.name}: {count_of(text.missed, 'tagged word')} of {text.tags:,} in the sentences of the explorer "
            "begin inside a word as the model reads it, and are shown without their sense."
        )
        yield Finding("warning.missed_tags", what, {"missed": text.missed, "tags": text.tags})


_METHOD = """\
The explorer pictures at most {most} occurrences of a word, from different sentences, in the plane of their own two
largest principal components. A word's self-similarity is over all its occurrences; its interval comes from leaving out
one of those pictured at a time. The two contexts are of its two commonest senses where these are known, else its two
occurrences least alike. Neighbours are the nearest of the occurrences that the measures keep, no stop words, at most
two of a form, by cosine after the mean of those is subtracted."""
