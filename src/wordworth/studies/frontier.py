"""A frontier: cheaper models beside the whole one, each with its score, its bytes and its milliseconds a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from wordworth.inference.prediction_speed import Inputs, Speed, speeds
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.pruning import ModelSize
from wordworth.progress import Step

WHOLE = "whole"
FRONTIER = {
    "model": "the whole model, the same in int8, or a smaller one; none is trained further",
    "heads": "number of attention heads",
    "layers": "number of layers",
    "parameters": "number of the encoder's parameters",
    "bytes": "bytes of these, each in its number type",
    "score": "score on the measuring half",
    "change": "change from the whole model's score",
    "low": "of its 95 % interval, over rows",
    "high": "of its 95 % interval",
}
"""Columns that the table of any frontier has."""


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Inputs]):
    """A model that may take the place of the whole one.

    Attributes:
        name: of the model; that of the whole one is `WHOLE`.
        predict: predicts inputs; its time is measured.
        size: numbers of heads, layers and parameters.
        num_bytes: bytes that it is stored in.
        way: how it was made smaller.
    """

    name: str
    predict: Callable[[Inputs], Predicted]
    size: ModelSize
    num_bytes: int
    way: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A candidate that was measured.

    Attributes:
        name, size, num_bytes, way: of the candidate.
        score: on the rows that measure; `change` from the whole model's.
        speed: batch size -> speed.
    """

    name: str
    size: ModelSize
    num_bytes: int
    way: str
    score: float
    change: Change
    speed: Mapping[int, Speed]

    def columns(self) -> dict[str, Any]:
        """Return the cells of the columns `FRONTIER`."""
        size = {**self.size._asdict(), "bytes": self.num_bytes}
        return {
            "model": self.name,
            **size,
            "score": self.score,
            "change": self.change.value,
        } | self.change.interval.columns()

    def speed_columns(self) -> dict[str, float]:
        """Return the cells of `SPEED_COLUMNS`."""
        return {name: value for batch, each in self.speed.items() for name, value in each.columns(batch).items()}


def frontier(
    candidates: Iterable[Candidate[Inputs]], inputs: Inputs, comparison: PairedChanges, step: Step
) -> list[Variant]:
    """Score candidates, and time each in turn with the whole one; one other model is in memory at a time.

    Args:
        candidates: the whole model first.
        inputs: the rows that measure, as the candidates read them.
        comparison: of predictions for these rows.
        step: advanced by each row that is predicted.
    """
    variants: list[Variant] = []
    whole, system = None, None
    for each in candidates:
        whole = whole or each
        predictions = each.predict(inputs)
        system = predictions if system is None else system
        change = comparison.change(predictions, system)
        speed = speeds({WHOLE: whole.predict, each.name: each.predict}, inputs, WHOLE)[each.name]
        score = comparison.score(predictions)
        variants.append(Variant(each.name, each.size, each.num_bytes, each.way, score, change, speed))
        step.advance(len(inputs))
    return variants
