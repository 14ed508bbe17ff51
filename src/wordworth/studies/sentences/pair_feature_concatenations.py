"""What a classifier of pairs should read of two frozen vectors u and v (Reimers and Gurevych 2019, table 6).

The paper trains the encoder under each concatenation; `train-sentences --concatenation` does so too. Here the encoder
stays as it is, and a linear classifier learns from its vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import interval
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import Progress
from wordworth.records import Finding, Table
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.sentence_formatting import count_of, join_words, percent, points
from wordworth.studies.sentences.labelled_pairs import FOLDS, Integers, LabelledPairs
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.training.sentences.losses.softmax import PARTS

CONCATENATIONS = (
    ("u", "v", "difference"),
    ("u", "v"),
    ("difference",),
    ("product",),
    ("difference", "product"),
    ("u", "v", "product"),
    ("u", "v", "difference", "product"),
)
"""The concatenations of the paper's table 6 by their parts; the first is the one that it chooses."""
TABLE = {
    "concatenation": "what a linear classifier reads of the two vectors u and v of a pair",
    "numbers": "how many numbers these are",
    "accuracy": "share of the pairs whose class is right, each pair predicted by a classifier that has not seen it",
    "low": "lower end of its 95 % interval over pairs, those of one first text drawn together",
    "high": "upper end",
    "change": "accuracy less that of u, v, |u − v|",
    "change_low": "lower end of its 95 % interval",
    "change_high": "upper end",
    "sure": "whether 0 is outside the interval at a level corrected for the number of comparisons",
}
_SYMBOLS = {"u": "u", "v": "v", "difference": "|u − v|", "product": "u · v"}
_VIEW = "pair"
Vectors = NDArray[np.float32]


def concatenations_table(
    pairs: LabelledPairs, u: Vectors, v: Vectors, draws: int, seed: int, progress: Progress
) -> Table:
    """Return the table `concatenations`: the accuracy of a linear classifier for each concatenation.

    Args:
        pairs: the labelled pairs.
        u: float32 [n, width], the vectors of the first texts.
        v: float32 [n, width], the vectors of the second texts.
        draws: number of bootstrap resamples of pairs, which all concatenations share.
        seed: seed of the folds, the classifiers and the resamples.
        progress: receives the progress.
    """
    scores = list[Floats]()
    with progress.step("classifiers of pairs", len(CONCATENATIONS) * FOLDS) as step:
        for parts in CONCATENATIONS:
            predicted = np.zeros((len(pairs), len(pairs.classes)))
            for rows in pairs.folds(seed):
                predicted[rows] = _predicted(pairs, _features(parts, u, v), rows, seed)
                step.advance()
            scores.append(predicted)
    rng = seeds.child(seed, "sentences", "concatenations", "draws")
    rule = metric("accuracy", pairs.classes)
    paired = PairedChanges.of(rule, pairs.labels, pairs.classes, draws, rng, pairs.groups)
    return Table.of(list(_rows(paired, scores, u.shape[1])), TABLE)


def _features(parts: Sequence[str], u: Vectors, v: Vectors) -> Vectors:
    first, second = torch.from_numpy(u), torch.from_numpy(v)
    return np.asarray(torch.cat([PARTS[part](first, second) for part in parts], dim=1).numpy())


def _predicted(pairs: LabelledPairs, features: Vectors, rows: Integers, seed: int) -> Floats:
    """Return the class scores of some pairs by a linear classifier trained on all other pairs, float64 [m, classes].

    Args:
        pairs: the labelled pairs.
        features: float32 [n, features], the concatenated features of each pair.
        rows: int64 [m], indices of the pairs to predict.
        seed: seed of the study.
    """
    train, head = np.setdiff1d(np.arange(len(pairs)), rows), LinearHead()
    target = Target(kind=CLASSIFICATION.name, labels=pairs.labels[train], classes=pairs.classes, metric="accuracy")
    rng = seeds.child(seed, "sentences", "classifier", str(rows[0]))

    def views(own: Integers, held_out: Integers) -> tuple[Mapping[str, Vectors], Mapping[str, Vectors]]:
        return {_VIEW: features[train[own]]}, {_VIEW: features[train[held_out]]}

    choice = head.choose(views, target, rng)
    return np.asarray(head.learn({_VIEW: features[train]}, target, choice, rng).predict(features[rows]), np.float64)


def _rows(paired: PairedChanges, scores: Sequence[Floats], width: int) -> Iterator[dict[str, Any]]:
    for parts, predicted in zip(CONCATENATIONS, scores, strict=True):
        row: dict[str, Any] = dict.fromkeys(TABLE) | {
            "concatenation": ", ".join(_SYMBOLS[part] for part in parts),
            "numbers": width * len(parts),
            "accuracy": paired.score(predicted),
            **interval(paired.metric.score(paired.gold, predicted, paired.weights)).columns(),
        }
        if parts != CONCATENATIONS[0]:
            change = paired.change(predicted, scores[0])
            row |= {"change": change.value, **change.interval.columns("change_")}
            row["sure"] = change.is_sure(len(CONCATENATIONS) - 1)
        yield row


def concatenations_findings(pairs: LabelledPairs, table: Table) -> Iterator[Finding]:
    """Yield the finding `concatenations`, then findings that say how it was measured and how the file was read.

    Args:
        pairs: the labelled pairs.
        table: the table `concatenations`.
    """
    usual, *others = table.rows()
    best = max((usual, *others), key=lambda row: row["accuracy"])
    sides = {
        "surely ahead are": [row["concatenation"] for row in others if row["sure"] and row["change"] > 0],
        "surely behind are": [row["concatenation"] for row in others if row["sure"] and row["change"] < 0],
    }
    clauses = [f"{words} {join_words([f'“{name}”' for name in names])}" for words, names in sides.items() if names]
    beside = "; ".join(clauses) if clauses else "no other is surely ahead or behind"
    majority = float(np.bincount(pairs.labels).max() / len(pairs))
    text = (
        f"A linear classifier of {count_of(len(pairs), 'labelled pair')} is most accurate on {best['concatenation']}: "
        f"{points(best['accuracy'])} % ({points(best['low'])} to {points(best['high'])}; the most frequent class has "
        f"{percent(majority)}). Beside {usual['concatenation']}, {beside}."
    )
    numbers = {"best": best["concatenation"], "accuracy": best["accuracy"], "majority": majority}
    yield Finding("concatenations", text, numbers)
    drawn = f", {len(pairs):,} of {pairs.rows:,} drawn at random" if len(pairs) < pairs.rows else ""
    text = (
        f"Labelled pairs{drawn}: the vectors of the model's own pooling are frozen; {FOLDS} folds, pairs of one first "
        "text in one fold, and the regularisation is chosen inside the training folds."
    )
    yield Finding("method.concatenations", text)
    yield from pairs.notes
