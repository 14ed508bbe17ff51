"""The best map for each relation, chosen on one half of the sentences and measured on the other.

The best of hundreds of maps on the sentences that chose it would be flattered. The baseline, the best fixed offset, is
chosen and measured in the same way, and so is the best map of a random encoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, interval, share_draws
from wordworth.measures.weighted_sums import Integers, floats
from wordworth.studies.treebank_sample import halves

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Counts:
    """Right predictions and totals, sentence by sentence.

    Attributes:
        maps, random_maps: int64 [sentences, maps, relations], of the encoder and of one with random weights.
        offsets: int64 [sentences, offsets, relations].
        totals: int64 [sentences, relations].
        documents: int64 [sentences], the document of each.
    """

    maps: Integers
    random_maps: Integers
    offsets: Integers
    totals: Integers
    documents: Integers


@dataclass(frozen=True, slots=True)
class SelectedMap:
    """The best map for one relation, on the half that did not choose it.

    Attributes:
        relation: its index.
        words: number of words that it is measured on.
        map, random_map, offset: indices of what was chosen.
        accuracy, random_accuracy, offset_accuracy: shares of right predictions, with 95 % intervals over documents.
        gap: accuracy less the offset's, with its interval on the same draws.
        random_gap: the random encoder's accuracy less the offset's.
        is_ahead, random_is_ahead: whether the gap's interval at a level corrected for all relations is above 0.
        optimistic: the accuracy of the best map on the half that chose it.
    """

    relation: int
    words: int
    map: int
    random_map: int
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
    """Return the best map of each relation that has enough words in both halves.

    Args:
        counts: counts of all sentences.
        fewest: fewest words of a relation in each half.
        draws: bootstrap resamples of documents.
        seed: seed of the halves and resamples.
    """
    choosing, measuring = halves(counts.documents, seed)
    totals = [counts.totals[half].sum(0) for half in (choosing, measuring)]
    relations = [int(relation) for relation in np.flatnonzero(np.minimum(*totals) >= fewest)]
    level = 1 - (1 - LEVEL) / max(1, len(relations))
    return [_selected(counts, relation, (choosing, measuring), (draws, seed, level)) for relation in relations]


def _selected(
    counts: Counts, relation: int, split: tuple[Integers, Integers], plan: tuple[int, int, float]
) -> SelectedMap:
    (choosing, measuring), (draws, seed, level) = split, plan
    systems = (counts.maps, counts.random_maps, counts.offsets)
    chosen_sums = [system[choosing, :, relation].sum(0) for system in systems]
    best = [int(sums.argmax()) for sums in chosen_sums]
    right = floats([system[measuring, number, relation] for system, number in zip(systems, best, strict=True)]).T
    total = floats(counts.totals[measuring, relation])
    rng = seeds.child(seed, "relations", "draws", relation)
    drawn = share_draws(right, total, counts.documents[measuring], draws, rng)
    drawn = drawn[np.isfinite(drawn).all(1)]
    shares = right.sum(0) / total.sum()
    own, random, offset = ((float(share), interval(drawn[:, column])) for column, share in enumerate(shares))
    gaps = [drawn[:, column] - drawn[:, 2] for column in (0, 1)]
    return SelectedMap(
        relation=relation,
        words=int(total.sum()),
        map=best[0],
        random_map=best[1],
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
