"""The best map for each relation, chosen on one half of the sentences and measured on the other.

A map is an attention head read in one direction (see `attachment_counts`). The best of hundreds of maps would look too
good on the sentences on which it was chosen. The baseline, which is the best fixed offset, and the best map of an
encoder with random weights are chosen and measured in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, Resamples, interval, share_draws
from wordworth.measures.weighted_sums import Integers, floats
from wordworth.studies.treebank_sample import halves

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of correctly predicted syntactic heads and of words, sentence by sentence.

    A map is an attention head read in one direction, from dependent to syntactic head or the other way round.

    Attributes:
        maps: int64 [sentences, maps, relations], correct predictions by each map of the encoder.
        random_maps: int64 [sentences, maps, relations], correct predictions by each map of an encoder with random
            weights.
        offsets: int64 [sentences, offsets, relations], correct predictions by each fixed offset.
        totals: int64 [sentences, relations], number of words of each relation.
        documents: int64 [sentences], a number that identifies each sentence's document.
    """

    maps: Integers
    random_maps: Integers
    offsets: Integers
    totals: Integers
    documents: Integers


@dataclass(frozen=True, slots=True)
class SelectedMap:
    """The best map for one relation, chosen on one half of the documents and measured on the other half.

    A map is an attention head read from dependent to syntactic head, or the other way round.

    Attributes:
        relation: index of the relation in the last axis of the arrays of `Counts`.
        words: number of words on which the map is measured.
        map, offset: indices of the encoder's best map and of the best offset in `Counts.maps` and `Counts.offsets`.
        accuracy, random_accuracy, offset_accuracy: share of correct predictions of the encoder's best map, of the best
            map of the encoder with random weights, and of the best offset, each with its 95 % interval over documents.
        gap: `accuracy` minus `offset_accuracy`, with its 95 % interval from the same resamples of documents.
        random_gap: `random_accuracy` minus `offset_accuracy`, with its 95 % interval.
        is_ahead, random_is_ahead: whether the interval of `gap`, or of `random_gap`, is above 0 at a level corrected
            for the number of relations (Bonferroni).
        optimistic: the accuracy of the best map on the half on which it was chosen.
    """

    relation: int
    words: int
    map: int
    offset: int
    accuracy: tuple[float, Interval]
    random_accuracy: tuple[float, Interval]
    offset_accuracy: tuple[float, Interval]
    gap: tuple[float, Interval]
    random_gap: tuple[float, Interval]
    is_ahead: bool
    random_is_ahead: bool
    optimistic: float


def selected_maps(counts: Counts, fewest: int, draws: int, seed: int) -> list[SelectedMap]:
    """Return the best map of each relation that has enough words in both halves of the documents.

    A map is an attention head read in one direction.

    Args:
        counts: numbers of correct predictions in all sentences.
        fewest: least number of words that a relation needs in each half.
        draws: number of bootstrap resamples of documents.
        seed: seed of the halves and resamples.
    """
    choosing, measuring = halves(counts.documents, seed)
    totals = [counts.totals[half].sum(0) for half in (choosing, measuring)]
    relations = [int(relation) for relation in np.flatnonzero(np.minimum(*totals) >= fewest)]
    level = 1 - (1 - LEVEL) / max(1, len(relations))
    return [_selected(counts, relation, (choosing, measuring), Resamples(draws, seed), level) for relation in relations]


def _selected(
    counts: Counts, relation: int, split: tuple[Integers, Integers], resamples: Resamples, level: float
) -> SelectedMap:
    choosing, measuring = split
    systems = (counts.maps, counts.random_maps, counts.offsets)
    chosen_sums = [system[choosing, :, relation].sum(0) for system in systems]
    best = [int(sums.argmax()) for sums in chosen_sums]
    right = floats([system[measuring, number, relation] for system, number in zip(systems, best, strict=True)]).T
    total = floats(counts.totals[measuring, relation])
    rng = seeds.child(resamples.seed, "relations", "draws", relation)
    drawn = share_draws(right, total, counts.documents[measuring], resamples.draws, rng)
    drawn = drawn[np.isfinite(drawn).all(1)]
    shares = right.sum(0) / total.sum()
    own, random, offset = ((float(share), interval(drawn[:, column])) for column, share in enumerate(shares))
    gaps = [drawn[:, column] - drawn[:, 2] for column in (0, 1)]
    return SelectedMap(
        relation=relation,
        words=int(total.sum()),
        map=best[0],
        offset=best[2],
        accuracy=own,
        random_accuracy=random,
        offset_accuracy=offset,
        gap=(own[0] - offset[0], interval(gaps[0])),
        random_gap=(random[0] - offset[0], interval(gaps[1])),
        is_ahead=interval(gaps[0], level).low > 0,
        random_is_ahead=interval(gaps[1], level).low > 0,
        optimistic=float(chosen_sums[0].max() / counts.totals[choosing, relation].sum()),
    )
