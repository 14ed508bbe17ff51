"""One sense or two: the cosine of a word in two sentences against a threshold fitted on train, by layer."""

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
    "model": "as it was given",
    "data": "set of pairs",
    "layer": "0 is the input layer",
    "threshold": "cosine from which on a pair is called of one sense; fitted on train at this layer",
    "train": "share of the train pairs that it has right",
    "dev": "share of the dev pairs; null without them",
    "test": "share of the test pairs",
    "low": "lower end of the 95 % interval of `test`, over resampled words",
    "high": "upper end of the 95 % interval",
    "chance": "what the commoner answer of train has right on test",
    "chosen": "whether this layer is best on dev (on train without one)",
    "pairs": "tested",
}


@dataclass(frozen=True, slots=True)
class Cosines:
    """float64 [pairs, layers], how close a word is to itself in two sentences; 0 where it has no vector."""

    of: Pairs
    values: Floats


def cosines(model: Reader, of: Pairs, progress: Progress) -> Cosines:
    """Read both sentences of every pair, apart from each other."""
    found = []
    with progress.step(f"{of.name}: reading pairs with {model.name}", len(of.word)) as step:
        for begin in range(0, len(of.word), _AT_ONCE):
            places = of.place[begin : begin + _AT_ONCE].ravel()
            sentences = of.sentences[2 * begin : 2 * begin + len(places)]
            spans = [(row, int(place), int(place) + 1) for row, place in enumerate(places)]
            units = unit_or_zero(floats(spans_of(model, sentences, spans)))
            found.append(np.einsum("nld,nld->nl", units[::2], units[1::2]).round(9))  # equal vectors, equal cosines
            step.advance(len(places) // 2)
    return Cosines(of, floats(np.concatenate(found)))


def rows(model: str, found: Cosines, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    """The table `pairs` of one model on one set."""
    of = found.of
    mine = {split: of.of(split) for split in SPLITS}
    thresholds = floats([fit_threshold(values[mine["train"]], of.same[mine["train"]]) for values in found.values.T])
    right = floats((found.values >= thresholds) == of.same[:, None])
    score = {split: right[rows].mean(axis=0) if rows.any() else None for split, rows in mine.items()}
    judge = score["train"] if score["dev"] is None else score["dev"]
    words = np.array(of.word)[mine["test"]]
    chance = seeds.child(seed, "senses", "pairs", of.name)
    drawn = share_draws(right[mine["test"]], np.ones(len(words)), words, draws, chance)
    usual = of.same[mine["train"]].mean() >= 0.5  # noqa: PLR2004 - the commoner answer
    for layer, threshold in enumerate(thresholds):
        span = interval(drawn[:, layer])
        yield {
            "model": model, "data": of.name, "layer": layer, "threshold": threshold,
            **{split: None if values is None else values[layer] for split, values in score.items()},
            "low": span.low, "high": span.high,
            "chance": float((of.same[mine["test"]] == usual).mean()),
            "chosen": layer == int(np.argmax(judge)) if judge is not None else False, "pairs": len(words),
        }  # fmt: skip
