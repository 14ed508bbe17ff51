"""The table `scores`: the share of senses that each layer and each baseline predicts correctly, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, share_draws
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
    "model": "name as given; null for baselines",
    "data": "set",
    "system": f"{NEAREST}, or a baseline that needs no vector: {FREQUENT} (in other documents), {FIRST}, {CHANCE}",
    "layer": "0 is the input layer; -1: for each half of the documents, the layer that is best on the other half",
    "of": f"{AMBIGUOUS}: words with two or more senses in other documents, share predicted right; {ALL}: every tested "
    "word, F1 (a word that is in no other document is not answered)",
    "score": "between 0 and 1",
    "low": "lower end of the 95 % interval, over resampled documents",
    "high": "upper end of the 95 % interval",
    "gap": f"score minus that of {FREQUENT}",
    "gap_low": "lower end of the paired 95 % interval",
    "gap_high": "upper end of the paired 95 % interval",
    "tied": "share of the words for which all centroids are equally near, as to any vector of a static table: "
    f"the answer is then the {FREQUENT}, or {CHANCE} where that is right more often; null for baselines",
    "layers": "the layers behind a row of layer -1, ascending; null for the others",
    "words": "number of tested occurrences",
    "documents": "number of documents they are in",
}
CHOSEN = -1
"""The layer number that stands for the layer chosen on other documents."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The scores, from 0 to 1, of each layer and each baseline on each test occurrence.

    The candidate senses of a test occurrence are the senses that its word has in other documents.

    Attributes:
        right: float64 [tested, layers], 1 if the nearest centroid belongs to the correct sense, else 0. If all
            centroids are equally near, the value is the score of the most frequent sense, or, if random senses score
            higher on the data set, the probability that a random sense is correct.
        tied: bool [tested, layers + 1], whether all centroids are equally near; the last column is the chosen layer.
        chosen: float64 [tested], `right` at the layer chosen on the other half of the documents.
        layers: the layers chosen for the two halves, ascending; a single layer if both halves have the same.
        frequent: float64 [tested], 1 if the most frequent sense is correct, else 0.
        first: float64 [tested], 1 if the dictionary's first sense is correct, else 0; None if senses have no order.
        chance: float64 [tested], the probability that a random candidate sense is correct.
        several: bool [tested], whether there are several candidate senses.
        answered: bool [tested], whether there is any candidate sense.
        document: int64 [tested], a number that identifies each occurrence's document.
        best: the layer with the best score over all documents, which the word explorer shows.
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


def hits(dataset: SenseDataset, predictions: SensePredictions, seed: int) -> Hits:
    """Score predicted senses, and the predictions of baselines, against the annotators' senses.

    Args:
        dataset: the tagged sentences.
        predictions: the predicted senses.
        seed: seed that splits the documents into two halves; the layer for one half is chosen on the other.
    """
    gold = dataset.sense[predictions.occurrence]
    several = predictions.candidates > 1
    document = dataset.document[dataset.sentence[predictions.occurrence]]
    known = dataset.ranks[dataset.sense].all()
    in_others = _in_other_documents(dataset, predictions, document)
    frequent, chance = (
        floats(predictions.frequent == gold),
        np.where(in_others, 1 / np.maximum(1, predictions.candidates), 0.0),
    )
    chance_is_better = bool(frequent[several].sum() < chance[several].sum())
    right = np.where(predictions.tied & chance_is_better, chance[:, None], predictions.nearest == gold[:, None])
    layer, layers = _chosen(right, several, document, seeds.child(seed, "senses", "halves", dataset.seed_name))
    rows = np.arange(len(layer))
    return Hits(
        right=right,
        tied=np.column_stack([predictions.tied, predictions.tied[rows, layer]]),
        chosen=right[rows, layer],
        layers=layers,
        frequent=frequent,
        first=floats(dataset.ranks[gold] == 1) * (predictions.candidates > 0) if known else None,
        chance=chance,
        several=several,
        answered=predictions.candidates > 0,
        document=document,
        best=int(right[several].mean(axis=0).argmax()) if several.any() else right.shape[1] - 1,
    )


def _in_other_documents(dataset: SenseDataset, predictions: SensePredictions, document: Integers) -> Flags:
    """Return whether each test occurrence's true sense is in training occurrences of other documents, bool [tested].

    Args:
        dataset: the tagged sentences.
        predictions: the predicted senses.
        document: int64 [tested], the document of each test occurrence.
    """
    training = dataset.train_mask
    keys = dataset.document[dataset.sentence[training]] * len(dataset.senses) + dataset.sense[training]
    pairs, counts = np.unique(keys, return_counts=True)
    true_keys = document * len(dataset.senses) + dataset.sense[predictions.occurrence]
    match = np.minimum(np.searchsorted(pairs, true_keys), len(pairs) - 1)
    own = np.where(pairs[match] == true_keys, counts[match], 0)
    return np.asarray(dataset.counts[dataset.sense[predictions.occurrence]] > own, bool)


def _chosen(right: Floats, several: Flags, document: Integers, rng: np.random.Generator) -> tuple[Integers, list[int]]:
    """Return for each test occurrence the layer that is best on the other half of the documents, and all chosen layers.

    Args:
        right: float64 [tested, layers], the score of each layer.
        several: bool [tested], whether an occurrence has several candidate senses; only these choose the layer.
        document: int64 [tested], the document of each occurrence.
        rng: source of randomness, which divides the documents into halves.
    """
    names = np.unique(document)
    first = np.isin(document, rng.permutation(names)[: len(names) // 2])
    best, layers = np.full(len(right), right.shape[1] - 1), set[int]()
    for half in (first, ~first):
        other = ~half & several
        best[half] = layer = int(right[other].mean(axis=0).argmax()) if other.any() else right.shape[1] - 1
        layers |= {layer} if half.any() else set()
    return best, sorted(layers)


def rows(model: str, dataset: SenseDataset, hits: Hits, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `scores` for one model on one data set: a row for each layer and each baseline.

    Args:
        model: name of the model.
        dataset: the data set.
        hits: scores of the test occurrences.
        draws: number of bootstrap resamples of documents.
        seed: seed of the resampling.
    """
    layers = [(model, NEAREST, layer) for layer in (*range(hits.right.shape[1]), CHOSEN)]
    baselines = [
        (None, FREQUENT, None),
        *([(None, FIRST, None)] if hits.first is not None else []),
        (None, CHANCE, None),
    ]
    values = np.column_stack(
        [hits.right, hits.chosen, hits.frequent, *([] if hits.first is None else [hits.first]), hits.chance]
    )
    against = hits.right.shape[1] + 1
    for part, rows_used in ((AMBIGUOUS, hits.several), (ALL, np.ones_like(hits.several))):
        if not rows_used.any():
            continue
        # F1 is twice the number right over the number tested plus the number answered; with a choice, all are answered.
        below = (1.0 + hits.answered[rows_used]) / 2
        chance = seeds.child(seed, "senses", "documents", dataset.seed_name, part)
        drawn = share_draws(values[rows_used], below, hits.document[rows_used], draws, chance)
        score = values[rows_used].sum(axis=0) / below.sum()
        counts = {"words": int(rows_used.sum()), "documents": len(np.unique(hits.document[rows_used]))}
        for column, (name, system, layer) in enumerate([*layers, *baselines]):
            span, gap = interval(drawn[:, column]), interval(floats(drawn[:, column] - drawn[:, against]))
            yield {
                "model": name, "data": dataset.name, "system": system, "layer": layer, "of": part,
                "score": score[column], "low": span.low, "high": span.high,
                "gap": score[column] - score[against], "gap_low": gap.low, "gap_high": gap.high,
                "tied": float(hits.tied[rows_used, column].mean()) if column < hits.tied.shape[1] else None,
                "layers": hits.layers if layer == CHOSEN else None, **counts,
            }  # fmt: skip
