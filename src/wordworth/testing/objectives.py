"""`check_objective`: a conformance check for your own pretraining objective, whose runs must stop and resume."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Self

import numpy as np

from wordworth.models.weight_files import read_weights
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.run import pretrain


def check_objective(settings: PretrainingConfig) -> None:
    """Check your own pretraining objective by short runs.

    * A run that is stopped and resumed has the same losses and weights as one that was not stopped.
    * A step in many micro-batches has the same loss as a step in one. This need not hold for an objective that compares
      the sequences of a forward pass with each other: leave `micro_batch_tokens` unset, and it is not checked.

    Args:
        settings: settings of a run with the objective, with a few steps in float32 on a small model; `out` is an empty
            folder, in which each run of the check has a folder of its own.

    Raises:
        AssertionError: one of these properties does not hold.
    """
    whole, stopped = (replace(settings, out=settings.out / name) for name in ("whole", "stopped"))
    pretrain(whole)
    with suppress(KeyboardInterrupt):
        pretrain(stopped, _StopAfter((settings.steps or 2) // 2))
    assert not (stopped.out / "model.safetensors").exists(), "the run was not stopped: give it more steps"
    pretrain(stopped)
    assert _losses(stopped) == _losses(whole), "a resumed run has other losses than one that was never stopped"
    weights, resumed = read_weights(whole.out), read_weights(stopped.out)
    assert all(bool((weights[name] == resumed[name]).all()) for name in weights), "a resumed run has other weights"
    if settings.micro_batch_tokens is not None:
        single = replace(settings, out=settings.out / "single", micro_batch_tokens=1 << 30)
        pretrain(single)
        message = "a step in many micro-batches has another loss than a step in one"
        assert np.allclose(_losses(single)[0], _losses(whole)[0], rtol=1e-4), message


def _losses(settings: PretrainingConfig) -> list[float]:
    return [row["loss"] for row in read(settings.out / "training") if row["kind"] == "step"]


class _StopAfter:
    """A `Progress` that stops the process after a number of steps, as Ctrl-C does."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Self]:  # noqa: ARG002 - a Progress
        """Open a step, as the context of a `with` statement; the step is this object."""
        yield self

    def advance(self, amount: float = 1) -> None:
        """Count a step."""
        self.left -= amount > 0
        if not self.left:
            signal.raise_signal(signal.SIGINT)

    def skip(self, amount: float) -> None:
        """Do nothing."""

    def note(self, message: Any) -> None:  # noqa: ANN401 - as of a Progress
        """Drop the message."""
