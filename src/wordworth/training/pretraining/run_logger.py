"""What a run says of itself: a row of the log for each step and look, its pace and a line for a person now and then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from wordworth.progress import Progress
from wordworth.training.loop import StepResult
from wordworth.training.optimizers import summary
from wordworth.training.pretraining.evaluation_size import LookSize
from wordworth.training.pretraining.export import numbers
from wordworth.training.pretraining.flops import matmul_peak, operations
from wordworth.training.pretraining.metrics_log import Log
from wordworth.training.pretraining.setup import TrainingSetup

_EVERY_S = 30.0
RISEN = 0.9
"""A rate that comes to this share of its peak has risen."""
_ASKED = 200
"""Steps of a plan at which its rate is asked for: the top of a rate is wider than what lies between two."""


class RunLogger:
    """Writes the log of a run and tells a person how it goes.

    Args:
        parts: of the run.
        folder: where the log is.
        progress: who is told.
        look_size: how much of the held-out text looks read, where a budget decides it.
    """

    def __init__(
        self, parts: TrainingSetup, folder: Path, progress: Progress, look_size: LookSize | None = None
    ) -> None:
        self.parts, self.progress, self.look_size = parts, progress, look_size
        self.log = Log(folder, parts.loop.step, writes=parts.loop.processes.number == 0)
        self.peak = _peak(parts)
        self.told, self.since, self.left_out = time.monotonic(), (time.monotonic(), 0, 0.0), False

    def begin(self) -> None:
        """The first row: what learns, in which groups, and which weights are fresh; a word if the run is too short."""
        self._warn()
        if self.log.writes and not any(row["kind"] == "start" for row in self.log.rows()):
            groups = summary(self.parts.loop.optimiser)
            facts: dict[str, Any] = {
                "parameters": numbers(self.parts.network),
                "groups": groups,
                "threads": torch.get_num_threads(),
            }
            if self.look_size is not None:
                facts |= {"look_texts": self.look_size.texts, "look_texts_of": self.look_size.of}
            floors = {} if self.parts.held_out is None else self.parts.held_out.unigrams()
            self.log.write("start", 0, steps=self.parts.plan.steps, fresh=list(self.parts.fresh), **facts, **floors)
            if self.parts.fresh:
                self.progress.note(said_fresh(self.parts.fresh))
            if floors:  # what a look must fall below before anything is learned but how often each piece is
                self.progress.note(f"held out, by how often each piece is: {_numbers(floors)}")

    def _warn(self) -> None:
        """Say that a run is too short for its learning rate to rise."""
        steps = self.parts.plan.steps
        reach = max(self.parts.loop.schedule(place * steps // _ASKED) for place in range(_ASKED))
        if reach < RISEN and self.parts.loop.step < steps:
            self.progress.note(f"{steps:,} updates are few: the learning rate comes to {reach:.0%} of its peak")

    def step(self, done: StepResult, seconds: float) -> None:
        """The row of a step, and every half a minute the pace."""
        tally = self.parts.objective.tally
        right = {f"{name}_right": share for name, share in tally.correct.items()}
        rate = done.rate * self.parts.loop.optimiser.param_groups[0]["peak"]
        facts = {"loss": done.loss, **tally.losses, **right, "rate": rate, "norm": done.norm, "tokens": tally.tokens}
        self.log.write("step", done.step + 1, **facts, seconds=round(seconds, 3))
        began, tokens, operated = self.since
        self.since = (began, tokens + tally.tokens, operated + operations(self.parts.network, tally))
        if time.monotonic() - self.told > _EVERY_S:
            self._tell(done)

    def look(self, step: int, found: dict[str, float], seconds: float) -> None:
        """The row of a look at held-out text, and a line; what it took is no slowness of the steps."""
        began, tokens, operated = self.since
        self.since = (began + seconds, tokens, operated)
        self.log.write("look", step, **found)
        self.progress.note(f"held out, after step {step:,}: {_numbers(found)}")

    def leave_out(self) -> None:
        """Say once that there is no time for every look."""
        if not self.left_out:
            self.progress.note("looks at held-out text take long beside so short a budget: some are left out")
        self.left_out = True

    def _tell(self, done: StepResult) -> None:
        """The row of how fast it was since the last one, and the line that says so."""
        now = time.monotonic()
        began, tokens, operated = self.since
        seconds, left = now - began, self.parts.plan.steps - done.step - 1
        speed, a_step = tokens / seconds, self.parts.objective.tally.tokens
        of_peak = operated / seconds / self.peak
        self.log.write("pace", done.step + 1, tokens_a_second=round(speed), of_peak=round(of_peak, 4))
        self.progress.note(
            f"step {done.step + 1:,} of {self.parts.plan.steps:,}: loss {done.loss:.3f}, {speed:,.0f} tokens/s, "
            f"{of_peak:.0%} of peak, about {span(left * a_step / max(speed, 1))} left"
        )
        self.told, self.since = now, (now, 0, 0.0)


def _peak(parts: TrainingSetup) -> float:
    """Products and sums a second of all processes together, as tokens are those of all."""
    dtype, device = parts.dtype, parts.network.encoder.device
    peak = torch.tensor([matmul_peak(dtype, device)], device=device)
    parts.loop.processes.all_reduce([peak])
    return float(peak)


def said_fresh(names: Sequence[str]) -> str:
    """That parts of a model were drawn for a run, as what it started from lacked them.

    >>> said_fresh(["heads.mlm.bias", "heads.mlm.dense.weight", "heads.nsp.weight"])
    'What it predicts by was drawn afresh (mlm, nsp), as the model that it started from has none'
    """
    parts = dict.fromkeys(name.removeprefix("heads.").partition(".")[0] for name in names)
    return f"What it predicts by was drawn afresh ({', '.join(parts)}), as the model that it started from has none"


def _numbers(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in found.items())


def span(seconds: float) -> str:
    """A span of time for a reader.

    >>> [span(seconds) for seconds in (42, 600, 9000)]
    ['42 s', '10 min', '2.5 h']
    """
    if seconds < 90:  # noqa: PLR2004 - a minute and a half
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"  # noqa: PLR2004 - 90 minutes
