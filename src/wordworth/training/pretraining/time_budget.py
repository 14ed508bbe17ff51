"""Runs with a time budget: speed is measured, steps are planned by it, and the plan is recorded."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from wordworth.errors import BadInput
from wordworth.training.pretraining.setup import TrainingSetup
from wordworth.training.pretraining.step_plan import Plan, steps_within

REVISED_AT = (0.03, 0.1, 0.25, 0.5, 0.75, 0.87, 0.95)
"""Fractions of a run at which its end is moved if its speed has changed."""
_REHEARSED, _ENDLESS = 4, 10**9
REHEARSING, _REVISED_EVERY = 0.05, 0.05
"""Fractions of a budget: the most that measuring takes, and the time after which the end is moved in any case."""
_COOLING = 8
"""Steps that a run still gets to let its rate fall when its time is over."""


def plan_run(parts: TrainingSetup, budget: float | None, path: Path) -> None:
    """Load the plan recorded at `path`; if there is none, record one, for a budget after measuring the speed.

    If a run is resumed with another number of steps than it was planned for, its end is moved from where it stands.

    Raises:
        BadInput: the disk is full, or the new end lies before the current step.
    """
    group, wanted = parts.loop.processes, parts.plan.steps
    recorded = group.broadcast(Plan.read(path))
    if recorded is not None:
        parts.plan.lines = recorded.lines
        if budget is not None or wanted == recorded.steps:
            return
        _move_end(parts, wanted, path)
    elif budget is not None:
        pace = measure_speed(parts, REHEARSING * budget)
        steps = group.broadcast(steps_within(budget, pace, 0.0, parts.tokens_a_step))
        parts.plan.lines = Plan.of(steps).lines
    if group.number == 0:
        parts.plan.write(path)


def _move_end(parts: TrainingSetup, wanted: int, path: Path) -> None:
    """Spread the rest of the run over the steps up to the new end; what has passed stays as it was."""
    step = parts.loop.step
    if step >= min(wanted, parts.plan.steps):
        message = f"this run has made {step:,} of {parts.plan.steps:,} steps and cannot end after {wanted:,}"
        raise BadInput(
            message, where=str(path.parent.parent), mend="give more steps before it is over, or another --out"
        )
    parts.plan.revise(step, wanted - step)


def measure_speed(parts: TrainingSetup, most: float = math.inf) -> float:
    """Return the seconds per token in the first phase, from a few steps whose gradients are discarded.

    At least two steps are made; no further one begins once `most` seconds have passed.
    """
    parts.plan.lines = Plan.of(_ENDLESS).lines
    tokens, began = 0, time.monotonic()
    first = began
    for number in range(_REHEARSED + 1):
        if number > 1 and parts.loop.processes.broadcast(time.monotonic() - first > most):
            break
        if number == 1:
            tokens, began = 0, time.monotonic()  # the first one warms up
        step = parts.steps.made(number)
        for part in parts.objective(step, torch.Generator()):
            part.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        tokens += step.tokens
    parts.objective.network.zero_grad()
    return (time.monotonic() - began) / tokens


@dataclass(slots=True)
class Clock:
    """Keeps a run's end at its budget.

    Attributes:
        budget: seconds, evaluations and checkpoints included; None for a run of a given number of steps.
        path: where the plan is recorded.
        before: seconds that the run had taken before it was resumed.
    """

    parts: TrainingSetup
    budget: float | None
    path: Path
    before: float
    began: float = field(default_factory=time.monotonic)
    tokens: int = 0
    _since: tuple[float, int] = (0.0, 0)
    _sizes: Sequence[tuple[float, int]] = ()

    def begin(self) -> None:
        """Call when steps begin: what came before has taken time, but says nothing of their speed.

        The phases' streams are read now: from here on the prefetching thread reads them.
        """
        if self.budget is not None:
            self._sizes = self.parts.tokens_a_step
        self._since = (self.seconds, self.tokens)

    @property
    def seconds(self) -> float:
        """Seconds that the run has taken, including those before its latest checkpoint."""
        return self.before + time.monotonic() - self.began

    def revised(self, tokens: int) -> bool:
        """Count the tokens of the last step; return whether the plan was moved to the budget's end.

        Raises:
            BadInput: the disk is full.
        """
        self.tokens += tokens
        step, plan = self.parts.loop.step, self.parts.plan
        passed = plan.share(step)
        is_overdue = self.seconds - self._since[0] > _REVISED_EVERY * (self.budget or 1)
        long_ago = self.parts.loop.processes.broadcast(is_overdue)
        due = long_ago or any(plan.share(step - 1) < mark <= passed for mark in REVISED_AT)
        if self.budget is None or not due or passed >= 1 or plan.revised_at(step):
            return False
        now = (self.seconds, self.tokens)
        pace = (now[0] - self._since[0]) / max(now[1] - self._since[1], 1)
        beside = self.parts.loop.processes
        left = max(_COOLING, steps_within(self.budget - now[0], pace, passed, self._sizes))
        if plan.steps - step > _COOLING or left > _COOLING:  # else the rate is falling already
            plan.revise(step, beside.broadcast(left))
        if beside.number == 0:
            plan.write(self.path)
        self._since = now
        return True
