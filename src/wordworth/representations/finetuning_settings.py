"""Settings of the fine-tuned rung, and the length of a run."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.settings_validation import POSITIVE, ValidRange, at_least

_SHARE = ValidRange(lambda value: 0 <= value < 1, "0 or more and less than 1")
_VALID = {"learning_rate": POSITIVE, "head_learning_rate": POSITIVE, "warmup": _SHARE, "dropout": _SHARE}
_LEAST = {
    **dict.fromkeys(("batch_size", "most_steps", "budget", "evaluations"), 1),
    **dict.fromkeys(("least_steps", "least_epochs", "stop_from", "restarts"), 0),
    "most_tokens": 3,
}
"""The least of each whole number; a text between two special tokens takes three."""
HELD_OUT_PART = 10
"""One in so many of many labels is held out, to choose the best weights by."""
_EPOCHS = 8
"""Passes over the training texts where none are named, before the bounds on the number of steps."""


@dataclass(frozen=True, slots=True)
class RunLength:
    """The length of a fine-tuning run.

    Attributes:
        steps: number of updates.
        tokens: number of training tokens over all steps, to which the run's time is about proportional.
    """

    steps: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """Settings of a fine-tuning run.

    They follow Mosbach et al. 2021 and Zhang et al. 2021 (bias correction, 10 % warm-up, many steps on few labels),
    with a higher learning rate than BERT's, for smaller encoders.

    Attributes:
        learning_rate: peak learning rate of the encoder.
        head_learning_rate: peak learning rate of the output layer.
        batch_size: texts in a batch.
        epochs: passes over the training texts, exactly as many: `least_steps`, `most_steps`, `least_epochs` and
            `budget` do not count then. None for as many as the number of texts asks for: 8, but at least `least_steps`
            and at most `most_steps` updates.
        warmup: fraction of the steps over which the learning rate rises.
        dropout: on the vector under the output layer.
        least_epochs: passes for which `most_steps` may be exceeded.
        budget: maximum number of training tokens over all steps; takes precedence over the other bounds.
        most_tokens: texts are truncated to this many tokens, special ones included: half from the beginning, half from
            the end, as Sun et al. 2019 (arXiv 1905.05583, 5.3.1) found best.
        stop_from: from this many labels on, one in ten is held out, and the weights of the best of `evaluations` by the
            task's metric on these are kept. Fewer labels are all trained on, unless the metric has a tau to choose (F1,
            Matthews): then one in five is held out, and the last step is kept.
        evaluations: number of evaluations during a run.
        restarts: maximum number of new runs, with other seeds, after one that learned nothing.
        bf16: whether to compute in bfloat16 where the processor has instructions for it.
    """

    learning_rate: float = 1e-4
    head_learning_rate: float = 1e-3
    batch_size: int = 16
    epochs: int | None = None
    warmup: float = 0.1
    dropout: float = 0.1
    least_steps: int = 150
    most_steps: int = 400
    least_epochs: int = 2
    budget: int = 600_000
    most_tokens: int = 128
    stop_from: int = 2000
    evaluations: int = 4
    restarts: int = 1
    bf16: bool = True

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            BadInput: `epochs` is no whole number from 1 on, or another number is out of its range.
        """
        for name, valid in _VALID.items():
            _require(name, getattr(self, name), valid, Real)
        for name, least in _LEAST.items():
            _require(name, getattr(self, name), at_least(least), Integral)
        if not _is_number_of_passes(self.epochs):
            raise BadInput(
                f"epochs={self.epochs!r} is no number of passes",
                mend="give a whole number from 1 on, or None for as many as the number of texts asks for",
            )

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run over texts of these numbers of tokens, int64 [texts]."""
        tokens_per_step = 1.0
        if len(lengths):
            tokens_per_step = float(np.minimum(lengths, self.most_tokens).mean()) * min(self.batch_size, len(lengths))
        steps_per_epoch = -(-len(lengths) // self.batch_size)
        if self.epochs is not None:
            steps = max(1, self.epochs * steps_per_epoch)
        else:
            steps = min(self._bounded(steps_per_epoch), max(1, int(self.budget / tokens_per_step)))
        return RunLength(steps, round(steps * tokens_per_step))

    def _bounded(self, steps_per_epoch: int) -> int:
        """Return the steps of the usual number of passes, within the bounds on them."""
        most = max(self.most_steps, self.least_epochs * steps_per_epoch)
        return min(max(_EPOCHS * steps_per_epoch, self.least_steps), most)


def _require(name: str, value: object, valid: ValidRange, kind: type[Real | Integral]) -> None:
    if isinstance(value, bool) or not isinstance(value, kind) or not valid.holds(value):  # type: ignore[arg-type]  # a number
        words = "a whole number, " if kind is Integral else ""
        raise BadInput(f"{name}={value!r} is out of range", mend=f"give {words}{valid.words}")


def _is_number_of_passes(value: object) -> bool:
    return value is None or (type(value) is not bool and isinstance(value, Integral) and int(value) >= 1)


QUICK = FineTuning(least_steps=60, most_steps=80, least_epochs=0, budget=40_000, most_tokens=64)
"""Settings for `--quick`: a run takes ten to twenty seconds on one core."""
