"""Words to look at: their occurrences in a plane, their curves, and their neighbours in two contexts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.nearest_centroid import alike
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.senses.explorer_words import Plan
from wordworth.studies.senses.nearest_centroid import Centroids, SensePredictions
from wordworth.studies.senses.scores import Hits
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.word_explorer import Context, ExplorerWord, Pool, Row, excerpt, neighbours, project, rounded

WORDS = {
    "entry": "number in the explorer, within the record",
    "data": "set",
    "word": "as the set names it",
    "occurrences": "tagged",
    "senses": "tagged, as people call them, the commonest first",
    "counts": "occurrences of each",
    "layer": "of the picture and the neighbours: the one that tells most senses right in this set",
    "shown": "share of the variance of the pictured occurrences that the plane holds",
    "self_similarity": "mean cosine of two occurrences by layer from the input on, not adjusted",
    "same": "the same of two occurrences in one sense",
    "different": "the same of two in different senses",
    "tested": "occurrences whose sense was to be told, with a choice",
    "right": "of these told right at this layer",
    "frequent": "of these right by the most frequent sense",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the explorer is made from: a set, what is kept of it, and what was told."""

    of: SenseDataset
    plan: Plan
    learnt: Centroids
    told: SensePredictions
    hits: Hits


def explorer(seen: list[Seen]) -> tuple[list[Row], list[Row], list[Row]]:
    """The tables `explorer`, `occurrences` and `neighbours`, the most frequent words of each set first."""
    found = (list[Row](), list[Row](), list[Row]())
    pools = {layer: _pool(seen, layer) for layer in {one.hits.best for one in seen}}
    for one in seen:
        begin = 0
        for word, occurrences in one.plan.shown.items():
            units = one.learnt.shown[begin : begin + len(occurrences), one.hits.best]
            begin += len(occurrences)
            shown = _shown(one, len(found[0]), word, occurrences, units)
            rows, share = project(shown)
            found[0].append(_about(one, word, shown.entry, share))
            found[1].extend(rows)
            found[2].extend(neighbours(shown, pools[one.hits.best]))
    return found


def _pool(seen: list[Seen], layer: int) -> Pool:
    """The other words of all sets together."""
    places = [(one, int(sentence), int(place)) for one in seen for sentence, place in one.plan.pool]
    return Pool.of(
        np.concatenate([one.learnt.pool[:, layer] for one in seen]),
        tuple(one.of.sentences[sentence][place].lower() for one, sentence, place in places),
        tuple((one.of.name, sentence) for one, sentence, _ in places),
    )


def _senses(of: SenseDataset, word: int) -> Integers:
    """The word's senses, the commonest first."""
    mine = np.arange(*np.searchsorted(of.word_of, (word, word + 1)))
    mine = mine[of.counts[mine] > 0]
    return mine[np.lexsort((of.ranks[mine], -of.counts[mine]))]


def _shown(one: Seen, entry: int, word: int, occurrences: Integers, units: NDArray[np.float32]) -> ExplorerWord:
    of = one.of
    order = {int(sense): place for place, sense in enumerate(_senses(of, word))}
    return ExplorerWord(
        entry=entry,
        units=units,
        senses=np.array([order[int(sense)] for sense in of.sense[occurrences]]),
        contexts=tuple(_context(of, int(occurrence)) for occurrence in occurrences),
        sentences=tuple((of.name, int(sentence)) for sentence in of.sentence[occurrences]),
        forms=frozenset(of.form(int(place)).lower() for place in occurrences) | {of.words[word].partition(" (")[0]},
    )


def _context(of: SenseDataset, occurrence: int) -> Context:
    words = of.sentences[of.sentence[occurrence]]
    start, stop = map(int, of.span[occurrence])
    return excerpt(" ".join(words[:start]), " ".join(words[start:stop]), " ".join(words[stop:]))


def _about(seen: Seen, word: int, entry: int, share: float) -> Row:
    of, learnt, hits = seen.of, seen.learnt, seen.hits
    senses = _senses(of, word)
    rows = learnt.row[senses]
    curves = [[rounded(value) for value in one] for one in alike(learnt.sums[rows], learnt.counts[rows])]
    mine = (of.word[seen.told.occurrence] == word) & hits.several
    counts = of.counts[senses].tolist()
    labels = [of.labels[sense] for sense in senses]
    right = round(hits.right[mine, hits.best].sum()), int(hits.frequent[mine].sum())
    told = (int(mine.sum()), *right)
    values = (of.name, of.words[word], sum(counts), labels, counts, hits.best, rounded(share), *curves, *told)
    return dict(zip(WORDS, (entry, *values), strict=True))
