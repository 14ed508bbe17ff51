"""The tables of a `finetuning` record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.attention_patterns import PATTERNS
from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.measures.loss_interpolation import basin_width, falling_share, reaches_end
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.records import Table
from wordworth.studies.finetuning_changes.compare_representations import (
    RUN,
    SEED,
    START,
    TUNED,
    UNRELATED,
    Compared,
    shares,
)
from wordworth.studies.finetuning_changes.layer_similarity import Pair
from wordworth.studies.finetuning_changes.loss_landscape import Curve, Plane
from wordworth.studies.finetuning_changes.results import ChangeResults

_ENDS = {"low": "of its 95 % interval", "high": "of its 95 % interval"}


def _of(name: str) -> dict[str, str]:
    return {f"{name}_{end}": text for end, text in _ENDS.items()}


LAYERS = {
    "layer": "layer, 0 for the input layer",
    "cka": "debiased linear CKA of the states of words, before and after fine-tuning",
    **_of("cka"),
    "cka_seed": "the same between two runs that differ in their seed; null without a second run",
    **_of("cka_seed"),
    "cka_random": "the same between the start and an encoder with random weights",
    "more": "the CKA of the two runs less that before and after: above 0, fine-tuning changed the layer more than luck",
    **_of("more"),
    "cosine": "cosine of attention maps before and after, mean over heads and texts; null for the input layer",
    **_of("cosine"),
    "cosine_seed": "the same between the two runs",
    "cosine_random": "the same between the start and an encoder with random weights",
}
HEADS = {
    "layer": "layer, from 1",
    "head": "number of the head in its layer, from 1",
    "cosine": "cosine of its map before and after fine-tuning, mean over texts",
    **_ENDS,
    "cosine_seed": "cosine of its map in two runs that differ in their seed; null without a second run",
    "cosine_random": "cosine of its map and that of a head with random weights",
    "sure": "whether it changed more by fine-tuning than between seeds, at a level corrected for the number of heads; "
    "null without a second run",
    "pattern_start": "the pattern of most of its maps before fine-tuning, by the rules",
    "pattern": "the same after",
}
SHARES = {
    "pattern": "pattern of an attention map",
    "model": "start, run, second seed or random weights",
    "share": "share of the maps of all heads and texts, by the rules",
    **_ENDS,
    "by_network": "share by the network that learned from synthetic maps",
}
CONFUSION = {
    "maps": "synthetic: of one pattern each; mixtures: half of each of two; run: the run's own",
    "classifier": "rules or network",
    "pattern": "the pattern of the map; of the run's maps what the rules say",
    "answer": "what the classifier says",
    "count": "number of maps",
}
WORDS = {
    "word": "the word, as the tokenizer writes it",
    "occurrences": "in the texts that measure",
    "moved": "1 less the cosine of its last states before and after, each less its model's mean; texts that measure",
    **_ENDS,
    "chosen": "the same in the texts that chose the word",
    "seed": "the same between two runs that differ in their seed; null without a second run",
}
LINES = {
    "line": "this run; with its first head: the head moves too; second seed; from scratch",
    "rows": "learned: rows of the training part; unseen",
    "direction": "line: from the start (0) to the end (1); own or random direction: around the end, its filters as "
    "long as the weights'",
    "position": "position on the line",
    "loss": "mean loss",
    **_ENDS,
}
BASINS = {
    "line": "as in `lines`",
    "rows": "as in `lines`",
    "direction": "as in `lines`",
    "start": "loss at the start; null around an end",
    "end": "loss at the end",
    "falling": "share of the segments between start and end in which the loss falls; null around an end",
    **_of("falling"),
    "width": "width of the interval around the end with a loss under twice that at the end",
    **_of("width"),
    "wider": "whether that interval reaches the last point, so that it may be wider",
}
PLANE = {
    "across": "position along the direction of fine-tuning: 0 start, 1 end",
    "up": "position along the second direction, as long as the first",
    "loss": "mean loss",
}
TRAJECTORY = {
    "step": "updates done",
    "distance": "norm of the difference of all weights from the start",
    "along": "its part in the direction of the model",
    "aside": "its part at right angles to that",
    "angle": "between both, in degrees; null at the start",
    "loss": "mean loss with the head of that step",
}
ROLL_BACK = {
    "part": "what is as it was before fine-tuning: a layer, the embedding, a third of the layers, all of them",
    "layers": "numbers of the layers that are reset",
    "score": "score on the rows",
    "change": "change from the run's score",
    **_ENDS,
    "sure": "whether the interval excludes 0 at a level corrected for the number of parts",
}


def tables_of(results: ChangeResults, draws: int, seed: int) -> dict[str, Table]:
    """Return the tables of a `finetuning` record by name.

    Args:
        results: results of the study.
        draws: number of bootstrap resamples per interval.
        seed: seed of the resamples.
    """
    cosines = _Cosines(results.compared, draws, seed)
    rolled = results.rolled_back
    return {
        "layers": Table.of(list(_layers(results, cosines)), LAYERS),
        "heads": Table.of(list(_heads(results.compared, cosines)), HEADS),
        "patterns": Table.of(list(_patterns(results.compared, draws, seed)), SHARES),
        "confusion": Table.of(
            [dict(zip(CONFUSION, (*key, number), strict=True)) for key, number in sorted(results.confusion.items())],
            CONFUSION,
        ),
        "words": Table.of(
            [
                {"word": word.word, "occurrences": word.occurrences, "moved": word.moved, **word.interval.columns()}
                | {"chosen": word.chosen, "seed": _known(word.by_seed)}
                for word in results.words.words
            ],
            WORDS,
        ),
        "lines": Table.of([row for curve in results.landscape.curves for row in _line(curve)], LINES),
        "basins": Table.of([_basin(curve) for curve in results.landscape.curves], BASINS),
        "plane": Table.of(list(_plane(results.landscape.plane)), PLANE),
        "way": Table.of(
            [{name: _known(getattr(point, name)) for name in TRAJECTORY} for point in results.landscape.trajectory],
            TRAJECTORY,
        ),
        "roll_back": Table.of(
            [
                {"part": each.name, "layers": ", ".join(map(str, each.layers)), "score": each.score}
                | {"change": each.change.value, **each.change.interval.columns()}
                | {"sure": each.change.is_sure(len(rolled))}
                for each in rolled
            ],
            ROLL_BACK,
        ),
    }


def _known(value: float | None) -> float | None:
    return None if value != value else value  # noqa: PLR0124 - NaN


class _Cosines:
    """Mean cosines of attention maps over texts, by pair of models, with bootstrap resamples that all pairs share."""

    def __init__(self, compared: Compared, draws: int, seed: int) -> None:
        self.heads = compared.heads
        self.means = {pair: each.mean(0) for pair, each in compared.cosines.items()}
        self.draws: dict[Pair, Floats] = {
            pair: mean_draws(each, draws, seeds.child(seed, "finetuning", "cosines"))
            for pair, each in compared.cosines.items()
        }

    def by_layer(self, values: Floats) -> Floats:
        """Return the mean over the heads of each layer, float64 [..., layers], of values [..., layers * heads]."""
        return floats(values.reshape(*values.shape[:-1], -1, self.heads).mean(-1))


def _layers(results: ChangeResults, cosines: _Cosines) -> Iterator[dict[str, Any]]:
    alike = results.similarity
    own = alike.interval(lambda values: values[TUNED])
    has_seed = SEED in alike.values
    seed = alike.interval(lambda values: values[SEED]) if has_seed else None
    more = alike.interval(excess_over_seed) if has_seed else None
    by_layer = {pair: cosines.by_layer(means) for pair, means in cosines.means.items()}
    drawn = cosines.by_layer(cosines.draws[TUNED])
    for layer, cka in enumerate(alike.values[TUNED].tolist()):
        row: dict[str, Any] = dict.fromkeys(LAYERS)
        row |= {"layer": layer, "cka": cka, **own[layer].columns("cka_")}
        row["cka_random"] = float(alike.values[UNRELATED][layer])
        if seed is not None and more is not None:
            row |= {"cka_seed": float(alike.values[SEED][layer]), **seed[layer].columns("cka_seed_")}
            row |= {"more": float(excess_over_seed(alike.values)[layer]), **more[layer].columns("more_")}
        if layer:
            row |= {"cosine": float(by_layer[TUNED][layer - 1]), **interval(drawn[:, layer - 1]).columns("cosine_")}
            row["cosine_seed"] = float(by_layer[SEED][layer - 1]) if has_seed else None
            row["cosine_random"] = float(by_layer[UNRELATED][layer - 1])
        yield {name: _known(value) for name, value in row.items()}


def excess_over_seed(values: Mapping[Pair, Floats]) -> Floats:
    """Return how much more fine-tuning changes each layer than another seed does, float64 [..., layers + 1].

    The value is the CKA between runs of two seeds minus the CKA between the models before and after fine-tuning. Above
    0, fine-tuning changes the layer more.

    Args:
        values: names of two models -> CKA of each layer, float64 [..., layers + 1].
    """
    return floats(values[SEED] - values[TUNED])


def _heads(compared: Compared, cosines: _Cosines) -> Iterator[dict[str, Any]]:
    most = {name: _most_common(compared.patterns[name]) for name in (START, RUN)}
    heads, number = compared.heads, len(cosines.means[TUNED])
    for index in range(number):
        row: dict[str, Any] = {
            "layer": index // heads + 1,
            "head": index % heads + 1,
            "cosine": float(cosines.means[TUNED][index]),
            **interval(cosines.draws[TUNED][:, index]).columns(),
            "cosine_seed": None,
            "cosine_random": float(cosines.means[UNRELATED][index]),
            "sure": None,
            "pattern_start": most[START][index],
            "pattern": most[RUN][index],
        }
        if SEED in cosines.means:
            row["cosine_seed"] = float(cosines.means[SEED][index])
            less = cosines.draws[TUNED][:, index] - cosines.draws[SEED][:, index]
            row["sure"] = bool(interval(less, 1 - 0.05 / number).high < 0)
        yield row


def _most_common(patterns: np.ndarray) -> list[str | None]:
    """Return the name of the most frequent pattern of each head; None if all texts are too short.

    Args:
        patterns: int64 [texts, layers * heads], indices into `PATTERNS`; -1 for texts that are too short.
    """
    counts = np.stack([(patterns == kind).sum(0) for kind in range(len(PATTERNS))])
    return [PATTERNS[int(column.argmax())] if column.sum() else None for column in counts.T]


def _patterns(compared: Compared, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    for model, patterns in compared.patterns.items():
        by_text = shares(patterns)
        drawn = mean_draws(by_text, draws, seeds.child(seed, "finetuning", "patterns"))
        by_network = shares(compared.by_network[model])
        known = [bool(np.isfinite(column).any()) for column in by_text.T]
        for kind, name in enumerate(PATTERNS):
            if known[kind]:
                ends = interval(drawn[:, kind]).columns()
                row = {"pattern": name, "model": model, "share": float(np.nanmean(by_text[:, kind])), **ends}
                yield row | {"by_network": float(np.nanmean(by_network[:, kind]))}


def _line(curve: Curve) -> Iterator[dict[str, Any]]:
    drawn = curve.losses.draws(curve.weights)
    for number, position in enumerate(curve.positions):
        row = {"line": curve.name, "rows": curve.rows, "direction": curve.direction or "line", "position": position}
        yield row | {"loss": float(curve.losses.means[number]), **interval(drawn[:, number]).columns()}


def _basin(curve: Curve) -> dict[str, Any]:
    """Return the row of the table `basins` for one line.

    On a line around an end, 1 is added to the positions, so that the end is at 1 as on the other lines.
    """
    around, means, drawn = bool(curve.direction), curve.losses.means, curve.losses.draws(curve.weights)
    positions = floats(curve.positions) + (1 if around else 0)
    row: dict[str, Any] = dict.fromkeys(BASINS)
    row |= {"line": curve.name, "rows": curve.rows, "direction": curve.direction or "line"}
    row["end"] = float(means[int(np.argmin(np.abs(positions - 1)))])
    row |= {"width": float(basin_width(positions, means)), **interval(basin_width(positions, drawn)).columns("width_")}
    row["wider"] = reaches_end(positions, means)
    if not around:
        row["start"] = float(means[curve.positions.index(0.0)])
        row["falling"] = float(falling_share(positions, means))
        row |= interval(falling_share(positions, drawn)).columns("falling_")
    return row


def _plane(plane: Plane | None) -> Iterator[dict[str, Any]]:
    if plane is not None:
        for up, losses in zip(plane.positions.tolist(), plane.losses.tolist(), strict=True):
            for across, loss in zip(plane.positions.tolist(), losses, strict=True):
                yield {"across": across, "up": up, "loss": loss}
