"""How many senses are told right: by layer, beside what needs no vector, each with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval
from wordworth.measures.grouped_bootstrap import share_draws
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.studies.senses.nearest_centroid import SensePredictions
from wordworth.studies.senses.sense_dataset import SenseDataset

NEAREST, FREQUENT, FIRST, CHANCE = (
    "nearest centroid",
    "most frequent sense",
    "first sense of the dictionary",
    "a sense by lot",
)
AMBIGUOUS, ALL = "ambiguous", "all"
DESCRIBE = {
    "model": "as it was given; null for what needs none",
    "data": "set",
    "system": f"{NEAREST}, or what needs no vector: {FREQUENT} (in other documents), {FIRST}, {CHANCE}",
    "layer": "0 is the input layer; -1: for each half of the documents, the layer that is best on the other half",
    "of": f"{AMBIGUOUS}: words that other documents show in two or more senses, share told right; {ALL}: every tested "
    "word, F1 (a word that no other document shows is not answered)",
    "score": "between 0 and 1",
    "low": "lower end of the 95 % interval, over resampled documents",
    "high": "upper end of the 95 % interval",
    "gap": f"score less that of {FREQUENT}",
    "gap_low": "lower end of the paired 95 % interval",
    "gap_high": "upper end of the paired 95 % interval",
    "tied": "share of the words for which all centroids are equally near, as to any vector of a static table: "
    f"the answer is then the {FREQUENT}, or {CHANCE} where that is right more often; null for what needs no vector",
    "layers": "the layers behind a row of layer -1, ascending; null for the others",
    "words": "tested occurrences",
    "documents": "that they stand in",
}
CHOSEN = -1
"""Stands for a layer that was chosen on other documents."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What was right of the tested occurrences.

    Attributes:
        right: float64 [tested, layers]; where centroids are tied, what knows no vector has: the most frequent sense, or
            on a set where that is right less often than a sense by lot, the probability of the latter.
        tied: bool [tested, layers + 1], where all centroids are equally near; the last column is of the chosen layers.
        chosen: float64 [tested], under the layer chosen on the other half of the documents.
        layers: those that were chosen, one for both halves or two, ascending.
        frequent: float64 [tested].
        first: float64 [tested] or None where the senses have no order.
        chance: float64 [tested], the probability to be right by lot.
        several: bool [tested], whether there was a choice.
        answered: bool [tested].
        document: int64 [tested].
        best: the layer that is best over all documents; what pictures show.
    """

    right: Floats
    tied: Flags
    chosen: Floats
    layers: list[int]
    frequent: Floats
    first: Floats | None
    chance: Floats
    several: Flags
    answered: Flags
    document: Integers
    best: int


def hits(of: SenseDataset, told: SensePredictions, seed: int) -> Hits:
    """Compare what was told with what is so."""
    gold = of.sense[told.occurrence]
    several = told.candidates > 1
    document = of.document[of.sentence[told.occurrence]]
    known = of.ranks[of.sense].all()
    shown = _shown_elsewhere(of, told, document)
    frequent, chance = floats(told.frequent == gold), np.where(shown, 1 / np.maximum(1, told.candidates), 0.0)
    by_lot = bool(frequent[several].sum() < chance[several].sum())
    right = np.where(told.tied & by_lot, chance[:, None], told.nearest == gold[:, None])
    layer, layers = _chosen(right, several, document, seeds.child(seed, "senses", "halves", of.name))
    rows = np.arange(len(layer))
    return Hits(
        right=right,
        tied=np.column_stack([told.tied, told.tied[rows, layer]]),
        chosen=right[rows, layer],
        layers=layers,
        frequent=frequent,
        first=floats(of.ranks[gold] == 1) * (told.candidates > 0) if known else None,
        chance=chance,
        several=several,
        answered=told.candidates > 0,
        document=document,
        best=int(right[several].mean(axis=0).argmax()) if several.any() else right.shape[1] - 1,
    )


def _shown_elsewhere(of: SenseDataset, told: SensePredictions, document: Integers) -> Flags:
    """Whether the true sense of each tested occurrence is among its candidates."""
    taught = of.train_mask
    keys = of.document[of.sentence[taught]] * len(of.senses) + of.sense[taught]
    pairs, counts = np.unique(keys, return_counts=True)
    mine = document * len(of.senses) + of.sense[told.occurrence]
    place = np.minimum(np.searchsorted(pairs, mine), len(pairs) - 1)
    own = np.where(pairs[place] == mine, counts[place], 0)
    return np.asarray(of.counts[of.sense[told.occurrence]] > own, bool)


def _chosen(right: Floats, several: Flags, document: Integers, rng: np.random.Generator) -> tuple[Integers, list[int]]:
    """For each occurrence the layer that is best on the other half of the documents, and which were best."""
    names = np.unique(document)
    half = np.isin(document, rng.permutation(names)[: len(names) // 2])
    best, layers = np.full(len(right), right.shape[1] - 1), set[int]()
    for mine in (half, ~half):
        other = ~mine & several
        best[mine] = layer = int(right[other].mean(axis=0).argmax()) if other.any() else right.shape[1] - 1
        layers |= {layer} if mine.any() else set()
    return best, sorted(layers)


def rows(model: str, of: SenseDataset, found: Hits, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    """The table `scores` of one model on one set."""
    layers = [(model, NEAREST, layer) for layer in (*range(found.right.shape[1]), CHOSEN)]
    plain = [(None, FREQUENT, None), *([(None, FIRST, None)] if found.first is not None else []), (None, CHANCE, None)]
    values = np.column_stack(
        [found.right, found.chosen, found.frequent, *([] if found.first is None else [found.first]), found.chance]
    )
    against = found.right.shape[1] + 1
    for part, mine in ((AMBIGUOUS, found.several), (ALL, np.ones_like(found.several))):
        if not mine.any():
            continue
        # F1 is twice what is right over what was asked and what was answered; with a choice, everything is answered.
        below = (1.0 + found.answered[mine]) / 2
        chance = seeds.child(seed, "senses", "documents", of.name, part)
        drawn = share_draws(values[mine], below, found.document[mine], draws, chance)
        score = values[mine].sum(axis=0) / below.sum()
        counts = {"words": int(mine.sum()), "documents": len(np.unique(found.document[mine]))}
        for place, (name, system, layer) in enumerate([*layers, *plain]):
            span, apart = interval(drawn[:, place]), interval(floats(drawn[:, place] - drawn[:, against]))
            yield {
                "model": name, "data": of.name, "system": system, "layer": layer, "of": part,
                "score": score[place], "low": span.low, "high": span.high,
                "gap": score[place] - score[against], "gap_low": apart.low, "gap_high": apart.high,
                "tied": float(found.tied[mine, place].mean()) if place < found.tied.shape[1] else None,
                "layers": found.layers if layer == CHOSEN else None, **counts,
            }  # fmt: skip
