"""Measure a frontier: smaller versions of a model compared with the whole one by score, bytes and milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from wordworth.inference.prediction_speed import BATCHES, Inputs, Speed, speeds
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.pruning import ModelSize
from wordworth.progress import Step
from wordworth.studies.study_result_cache import FinishedParts

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
"""Columns of the table of a frontier, with their descriptions."""


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Inputs]):
    """The whole model, or a smaller version of it, before it is scored and timed.

    Attributes:
        name: name of the version; `WHOLE` for the whole model.
        predict: function from inputs to predictions, which is timed.
        size: numbers of heads, layers and parameters.
        num_bytes: bytes of the version's parameters as stored.
        method: phrase that says how the version was made smaller; "" for the whole model.
    """

    name: str
    predict: Callable[[Inputs], Predicted]
    size: ModelSize
    num_bytes: int
    method: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A whole model or a smaller version of it, with its score and speed.

    Attributes:
        name, size, num_bytes, method: the attributes of the `Candidate`.
        score: score on the test rows.
        change: the score minus the whole model's score, with a paired interval.
        speed: batch size -> speed.
        above_constant: the score minus the score of a constant baseline, such as the most frequent class, with a paired
            interval; None without a baseline.
    """

    name: str
    size: ModelSize
    num_bytes: int
    method: str
    score: float
    change: Change
    speed: Mapping[int, Speed]
    above_constant: Change | None = None

    def columns(self) -> dict[str, Any]:
        """Return this variant's row in the table of variants of a model: column of `FRONTIER` -> cell."""
        size = {**self.size._asdict(), "bytes": self.num_bytes}
        return {
            "model": self.name,
            **size,
            "score": self.score,
            "change": self.change.value,
        } | self.change.interval.columns()

    def speed_columns(self) -> dict[str, float]:
        """Return the speeds in this variant's row of the table of speeds: column of `SPEED_COLUMNS` -> value."""
        return {name: value for batch, each in self.speed.items() for name, value in each.columns(batch).items()}


def frontier(
    candidates: Iterable[Candidate[Inputs]],
    inputs: Inputs,
    comparison: PairedChanges,
    step: Step,
    parts: FinishedParts | None = None,
    constant: Predicted | None = None,
) -> list[Variant]:
    """Score each version of a model, and time each version and the whole model in alternating turns.

    The versions are taken from `candidates` one by one, so that at most one smaller version is in memory.

    Args:
        candidates: the whole model, then the smaller versions.
        inputs: the test rows, in the form that `Candidate.predict` takes.
        comparison: scores predictions for these rows, and compares the scores of two versions on the same bootstrap
            resamples.
        step: the step of progress, advanced by the number of rows after each version.
        parts: disk cache of the predictions and the speed of each version, from which a stopped study resumes; None for
            no cache.
        constant: the predictions of a constant baseline, such as the most frequent class, with which every version is
            compared too; None for no such comparison.
    """
    variants: list[Variant] = []
    whole, system, whole_speed = None, None, None
    for each in candidates:
        whole = whole or each
        predictions, speed = _measured(each, whole, inputs, step, parts)
        whole_speed = whole_speed or speed
        speed = {batch: each_speed.relative_to(whole_speed[batch]) for batch, each_speed in speed.items()}
        system = predictions if system is None else system
        change = comparison.change(predictions, system)
        score = comparison.score(predictions)
        above = None if constant is None else comparison.change(predictions, constant)
        variants.append(Variant(each.name, each.size, each.num_bytes, each.method, score, change, speed, above))
    return variants


def _measured(
    each: Candidate[Inputs], whole: Candidate[Inputs], inputs: Inputs, step: Step, parts: FinishedParts | None
) -> tuple[Predicted, Mapping[int, Speed]]:
    """Return the predictions and the speed of a candidate, from `parts` if an earlier call has measured it."""

    def compute() -> dict[str, NDArray[Any]]:
        predicted = _as_arrays(each.predict(inputs))
        speed = speeds({WHOLE: whole.predict, each.name: each.predict}, inputs, WHOLE)[each.name]
        step.advance(len(inputs))
        rows = [[speed[batch].milliseconds, *speed[batch].speedup] for batch in BATCHES]
        return {**predicted, "speed": np.array(rows)}

    arrays = compute() if parts is None else parts.arrays((each.name, each.method), compute, step, len(inputs))
    rows = zip(BATCHES, arrays["speed"].tolist(), strict=True)
    speed = {batch: Speed(milliseconds, (middle, least, most)) for batch, (milliseconds, middle, least, most) in rows}
    return _predicted(arrays), speed


def _as_arrays(predicted: Predicted) -> dict[str, NDArray[Any]]:
    """Return predictions as name -> array; the tags of sentences are one array, with an array of lengths."""
    if isinstance(predicted, tuple):
        return {"predicted": np.concatenate(predicted), "lengths": np.array([len(tags) for tags in predicted])}
    return {"predicted": predicted}


def _predicted(arrays: Mapping[str, NDArray[Any]]) -> Predicted:
    """Return predictions from the arrays that `_as_arrays` made of them."""
    if "lengths" in arrays:
        return tuple(np.split(arrays["predicted"], np.cumsum(arrays["lengths"])[:-1]))
    return arrays["predicted"]
