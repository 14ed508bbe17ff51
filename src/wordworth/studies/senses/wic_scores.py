"""One sense or two: the cosine of a word in two sentences, compared with a threshold fitted on train, by layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval
from wordworth.measures.geometry.nearest_centroid import unit_or_zero
from wordworth.measures.grouped_bootstrap import share_draws
from wordworth.measures.thresholds import fit_threshold
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.progress import Progress
from wordworth.studies.senses.readers import Reader, spans_of
from wordworth.studies.senses.wic_file import SPLITS, Pairs

_AT_ONCE = 128
DESCRIBE = {
    "model": "name as given",
    "data": "set of pairs",
    "layer": "0 is the input layer",
    "threshold": "pairs with this cosine or more are classified as one sense; fitted on train at this layer",
    "train": "accuracy on the train pairs",
    "dev": "accuracy on the dev pairs; null without them",
    "test": "accuracy on the test pairs",
    "low": "lower end of the 95 % interval of `test`, over resampled words",
    "high": "upper end of the 95 % interval",
    "chance": "accuracy on test of the more frequent answer of train",
    "chosen": "whether this layer is best on dev (on train without one)",
    "pairs": "number of test pairs",
}


@dataclass(frozen=True, slots=True)
class Cosines:
    """The cosine of each pair's word in its two sentences, float64 [pairs, layers]; 0 where it has no vector."""

    of: Pairs
    values: Floats


def cosines(model: Reader, of: Pairs, progress: Progress) -> Cosines:
    """Read the two sentences of every pair separately, and compare the word's vectors by cosine."""
    blocks = []
    with progress.step(f"{of.name}: reading pairs with {model.name}", len(of.word)) as step:
        for begin in range(0, len(of.word), _AT_ONCE):
            positions = of.place[begin : begin + _AT_ONCE].ravel()
            sentences = of.sentences[2 * begin : 2 * begin + len(positions)]
            spans = [(row, int(position), int(position) + 1) for row, position in enumerate(positions)]
            units = unit_or_zero(floats(spans_of(model, sentences, spans)))
            blocks.append(np.einsum("nld,nld->nl", units[::2], units[1::2]).round(9))  # equal vectors, equal cosines
            step.advance(len(positions) // 2)
    return Cosines(of, floats(np.concatenate(blocks)))


def rows(model: str, found: Cosines, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `pairs` for one model on one set.

    Args:
        model: its name.
        found: the cosines of the pairs.
        draws: the number of resampled sets of words.
        seed: seed of the resampling.
    """
    of = found.of
    in_split = {split: of.of(split) for split in SPLITS}
    thresholds = floats(
        [fit_threshold(values[in_split["train"]], of.same[in_split["train"]]) for values in found.values.T]
    )
    right = floats((found.values >= thresholds) == of.same[:, None])
    score = {split: right[rows].mean(axis=0) if rows.any() else None for split, rows in in_split.items()}
    selection = score["train"] if score["dev"] is None else score["dev"]
    words = np.array(of.word)[in_split["test"]]
    chance = seeds.child(seed, "senses", "pairs", of.name)
    drawn = share_draws(right[in_split["test"]], np.ones(len(words)), words, draws, chance)
    majority_is_same = of.same[in_split["train"]].mean() >= 0.5  # noqa: PLR2004 - the commoner answer
    for layer, threshold in enumerate(thresholds):
        span = interval(drawn[:, layer])
        yield {
            "model": model, "data": of.name, "layer": layer, "threshold": threshold,
            **{split: None if values is None else values[layer] for split, values in score.items()},
            "low": span.low, "high": span.high,
            "chance": float((of.same[in_split["test"]] == majority_is_same).mean()),
            "chosen": layer == int(np.argmax(selection)) if selection is not None else False, "pairs": len(words),
        }  # fmt: skip
