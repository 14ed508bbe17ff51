"""Logging of a run: a log row for each step and evaluation, its speed, and now and then a line for the user."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from wordworth.progress import Progress
from wordworth.text_format import duration
from wordworth.training.loop import StepResult
from wordworth.training.optimizers import summary
from wordworth.training.pretraining.evaluation_size import LookSize
from wordworth.training.pretraining.export import numbers
from wordworth.training.pretraining.flops import matmul_peak, operations
from wordworth.training.pretraining.metrics_log import Log
from wordworth.training.pretraining.setup import TrainingSetup

_EVERY_S = 30.0
RISEN = 0.9
"""A learning rate that reaches this fraction of its peak counts as risen."""
_SAMPLED = 200
"""Steps of a plan at which its rate is sampled: the top of a schedule is wider than the gaps between two."""


class RunLogger:
    """Writes the log of a run and shows the user how it goes.

    Args:
        parts: of the run.
        folder: where the log is.
        progress: shows notes.
        look_size: how much of the held-out text evaluations read, if a budget decides it.
    """

    def __init__(
        self, parts: TrainingSetup, folder: Path, progress: Progress, look_size: LookSize | None = None
    ) -> None:
        self.parts, self.progress, self.look_size = parts, progress, look_size
        self.log = Log(folder, parts.loop.step, writes=parts.loop.processes.number == 0)
        self.peak = _peak(parts)
        self.told, self.since, self.left_out = time.monotonic(), (time.monotonic(), 0, 0.0), False

    def begin(self) -> None:
        """Write the first row (parameters, groups, fresh weights); warn if the run is too short."""
        self._warn()
        if self.log.writes and not any(row["kind"] == "start" for row in self.log.rows()):
            groups = summary(self.parts.loop.optimiser)
            facts: dict[str, Any] = {
                "parameters": numbers(self.parts.network),
                "groups": groups,
                "threads": torch.get_num_threads(),
            }
            if self.look_size is not None:
                facts |= {"evaluation_texts": self.look_size.texts, "evaluation_texts_of": self.look_size.of}
            floors = {} if self.parts.held_out is None else self.parts.held_out.unigrams()
            self.log.write("start", 0, steps=self.parts.plan.steps, fresh=list(self.parts.fresh), **facts, **floors)
            if self.parts.fresh:
                self.progress.note(said_fresh(self.parts.fresh))
            if floors:  # a loss above these shows that the model has learned no more than subword frequencies
                self.progress.note(f"held out, loss of subword frequencies alone: {_numbers(floors)}")

    def _warn(self) -> None:
        """Warn if the run is too short for its learning rate to rise."""
        steps = self.parts.plan.steps
        reach = max(self.parts.loop.schedule(index * steps // _SAMPLED) for index in range(_SAMPLED))
        if reach < RISEN and self.parts.loop.step < steps:
            self.progress.note(f"only {steps:,} updates: the learning rate reaches {reach:.0%} of its peak")

    def step(self, done: StepResult, seconds: float) -> None:
        """Write the row of a step, and every half a minute the speed."""
        tally = self.parts.objective.tally
        right = {f"{name}_right": share for name, share in tally.correct.items()}
        rate = done.rate * self.parts.loop.optimiser.param_groups[0]["peak"]
        facts = {
            "loss": done.loss,
            **tally.losses,
            **right,
            "learning_rate": rate,
            "norm": done.norm,
            "tokens": tally.tokens,
        }
        self.log.write("step", done.step + 1, **facts, seconds=round(seconds, 3))
        began, tokens, operated = self.since
        self.since = (began, tokens + tally.tokens, operated + operations(self.parts.network, tally))
        if time.monotonic() - self.told > _EVERY_S:
            self._report_speed(done)

    def look(self, step: int, found: dict[str, float], seconds: float) -> None:
        """Write the row of an evaluation and show it; its time does not count in the speed of steps."""
        began, tokens, operated = self.since
        self.since = (began + seconds, tokens, operated)
        self.log.write("evaluation", step, **found)
        self.progress.note(f"held out, after step {step:,}: {_numbers(found)}")

    def leave_out(self) -> None:
        """Note once that there is no time for every evaluation."""
        if not self.left_out:
            self.progress.note("evaluations take long for so short a budget: some are left out")
        self.left_out = True

    def _report_speed(self, done: StepResult) -> None:
        """Write a row with the speed since the last one, and show it."""
        now = time.monotonic()
        began, tokens, operated = self.since
        seconds, left = now - began, self.parts.plan.steps - done.step - 1
        speed, a_step = tokens / seconds, self.parts.objective.tally.tokens
        of_peak = operated / seconds / self.peak
        self.log.write("speed", done.step + 1, tokens_a_second=round(speed), of_peak=round(of_peak, 4))
        self.progress.note(
            f"step {done.step + 1:,} of {self.parts.plan.steps:,}: loss {done.loss:.3f}, {speed:,.0f} tokens/s, "
            f"{of_peak:.0%} of peak, about {duration(left * a_step / max(speed, 1))} left"
        )
        self.told, self.since = now, (now, 0, 0.0)


def _peak(parts: TrainingSetup) -> float:
    """Return the peak FLOP/s of all processes together, as tokens are counted over all."""
    dtype, device = parts.dtype, parts.network.encoder.device
    peak = torch.tensor([matmul_peak(dtype, device)], device=device)
    parts.loop.processes.all_reduce([peak])
    return float(peak)


def said_fresh(names: Sequence[str]) -> str:
    """Return a sentence on the parts that were initialised for a run, as the model it started from lacked them.

    >>> said_fresh(["heads.mlm.bias", "heads.mlm.dense.weight", "heads.nsp.weight"])
    'Freshly initialised, as the model that it started from has none: mlm, nsp'
    """
    parts = dict.fromkeys(name.removeprefix("heads.").partition(".")[0] for name in names)
    return f"Freshly initialised, as the model that it started from has none: {', '.join(parts)}"


def _numbers(losses: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in losses.items())
