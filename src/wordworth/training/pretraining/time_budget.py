"""Fit a run into a time budget, by its speed: choose the batch size, the number of steps and the held-out text."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object, require_fields
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.setup import TrainingSetup
from wordworth.training.pretraining.step_plan import Plan, steps_within

REVISED_AT = (0.03, 0.1, 0.25, 0.5, 0.75, 0.87, 0.95)
"""Fractions of a run at which its end is moved if its speed has changed."""
_MEASURED_STEPS, _ENDLESS = 4, 10**9
MEASURING, _REVISED_EVERY = 0.05, 0.05
"""Fractions of a budget: the most that measuring takes, and the time after which the end is moved in any case."""
_COOLING = 8
"""Steps that a run still gets to let its rate fall when its time is over."""


def plan_run(setup: TrainingSetup, budget: float | None, path: Path) -> None:
    """Set the plan of a run: read the plan recorded in a file, or else make one and record it.

    With a budget, the number of steps of a new plan follows from the measured speed. If a run is resumed with a
    different number of steps, the end of its plan is moved; its past steps stay the same.

    Args:
        setup: the parts of the run.
        budget: seconds of the run; None for a run of a fixed number of steps.
        path: the file of the plan.

    Raises:
        BadInput: the disk is full, or the new end lies before the current step.
    """
    group, wanted = setup.loop.processes, setup.plan.steps
    recorded = group.broadcast(Plan.read(path))
    if recorded is not None:
        setup.plan.segments = recorded.segments
        if budget is not None or wanted == recorded.steps:
            return
        _move_end(setup, wanted, path)
    elif budget is not None:
        pace = measure_speed(setup, MEASURING * budget)
        steps = group.broadcast(steps_within(budget, pace, 0.0, setup.tokens_a_step))
        setup.plan.segments = Plan.of(steps).segments
    if group.rank == 0:
        setup.plan.write(path)


def _move_end(setup: TrainingSetup, wanted: int, path: Path) -> None:
    """Spread the rest of the run over the steps up to the new end; what has passed stays as it was."""
    step = setup.loop.step
    if step >= min(wanted, setup.plan.steps):
        message = f"this run has made {step:,} of {setup.plan.steps:,} steps and cannot end after {wanted:,}"
        raise BadInput(
            message, where=str(path.parent.parent), mend="give more steps before it is over, or another --out"
        )
    setup.plan.revise(step, wanted - step)


def measure_speed(setup: TrainingSetup, most: float = math.inf) -> float:
    """Measure the seconds per token in the first phase of a run, by a few steps whose gradients are discarded.

    At least two steps are made; no further step begins once `most` seconds have passed.
    """
    setup.plan.segments = Plan.of(_ENDLESS).segments
    tokens, began = 0, time.monotonic()
    first = began
    for number in range(_MEASURED_STEPS + 1):
        if number > 1 and setup.loop.processes.broadcast(time.monotonic() - first > most):
            break
        if number == 1:
            tokens, began = 0, time.monotonic()  # the first one warms up
        step = setup.steps.step(number)
        for part in setup.objective(step, torch.Generator()):
            part.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        tokens += step.tokens
    setup.objective.network.zero_grad()
    return (time.monotonic() - began) / tokens


@dataclass(slots=True)
class Clock:
    """Measures the time of a run, and moves the end of its plan so that the run keeps to its time budget.

    Attributes:
        setup: the parts of the run.
        budget: the time budget in seconds, which includes evaluations and checkpoints; None for a run of a fixed number
            of steps.
        path: the file of the plan.
        earlier_seconds: seconds that the run had taken before it was resumed.
        began: `time.monotonic()` when this process began.
        tokens: number of tokens read since this process began.
    """

    setup: TrainingSetup
    budget: float | None
    path: Path
    earlier_seconds: float
    began: float = field(default_factory=time.monotonic)
    tokens: int = 0
    _since: tuple[float, int] = (0.0, 0)
    _sizes: Sequence[tuple[float, int]] = ()

    def begin(self) -> None:
        """Begin to measure the speed of steps.

        The caller must call it just before the first step, so that the time of setting up does not count. The batch
        sizes of all phases are read here, before the prefetching thread uses the streams.
        """
        if self.budget is not None:
            self._sizes = self.setup.tokens_a_step
        self._since = (self.seconds, self.tokens)

    @property
    def seconds(self) -> float:
        """The seconds that the run has taken, including the time before it was resumed."""
        return self.earlier_seconds + time.monotonic() - self.began

    def replan(self, tokens: int) -> bool:
        """Count the tokens of the last step, and from time to time move the end of the plan to the end of the budget.

        Args:
            tokens: number of tokens of the step.

        Returns:
            Whether the end of the plan was computed again.

        Raises:
            BadInput: the disk is full.
        """
        self.tokens += tokens
        step, plan = self.setup.loop.step, self.setup.plan
        passed = plan.fraction(step)
        is_overdue = self.seconds - self._since[0] > _REVISED_EVERY * (self.budget or 1)
        long_ago = self.setup.loop.processes.broadcast(is_overdue)
        due = long_ago or any(plan.fraction(step - 1) < mark <= passed for mark in REVISED_AT)
        if self.budget is None or not due or passed >= 1 or plan.revised_at(step):
            return False
        now = (self.seconds, self.tokens)
        pace = (now[0] - self._since[0]) / max(now[1] - self._since[1], 1)
        processes = self.setup.loop.processes
        left = max(_COOLING, steps_within(self.budget - now[0], pace, passed, self._sizes))
        if plan.steps - step > _COOLING or left > _COOLING:  # else the rate is falling already
            plan.revise(step, processes.broadcast(left))
        if processes.rank == 0:
            plan.write(self.path)
        self._since = now
        return True


UPDATES = 500
"""Least number of updates that a run should make: the rate rises over a hundred at least, and must fall again."""
LEAST_BATCH = 8
BATCH_FILE = "batch.json"
_AGAIN = "remove the run's folder and start it again"


def recorded_batch(settings: PretrainingConfig, folder: Path) -> int | None:
    """Return the batch size that was chosen for the time budget when a run in this folder began, or None.

    The result is None if no batch size was recorded in the folder.

    Args:
        settings: the settings of the run.
        folder: the run's folder.

    Raises:
        BadInput: the user now sets another batch size, or the file is damaged.
    """
    if not (folder / BATCH_FILE).exists():
        return None
    recorded = read_object(folder / BATCH_FILE, _AGAIN)
    require_fields(recorded, {"batch": int}, str(folder / BATCH_FILE), _AGAIN)
    batch: int = recorded["batch"]
    if batch < 1:
        raise BadInput(f"this file is damaged: batch size {batch}", where=str(folder / BATCH_FILE), mend=_AGAIN)
    if not settings.fit_batch and settings.recipe.batch_size != batch:
        message = f"this run uses batch size {batch}, chosen for its budget, not {settings.recipe.batch_size}"
        raise BadInput(message, where=str(folder.parent), mend="leave batch out, or choose another --out")
    return batch


def record_batch(batch: int, folder: Path) -> None:
    """Write the batch size that was chosen for the time budget into the run's folder.

    Args:
        batch: the batch size.
        folder: the run's folder.

    Raises:
        BadInput: the disk is full.
    """
    write_text(folder / BATCH_FILE, json.dumps({"batch": batch}) + "\n")


def batch_within(
    settings: PretrainingConfig, seconds_a_token: float, phases: list[tuple[float, int]]
) -> tuple[int, int]:
    """Choose the batch size for a time budget.

    The size is the recipe's batch size, halved until there is time for 500 updates, but at least 8.

    Args:
        settings: the settings of a run with a budget.
        seconds_a_token: the measured seconds per token.
        phases: for each phase, with the recipe's batch size, (fraction of training at which it begins, number of tokens
            in its first step).

    Returns:
        (the batch size, the number of updates for which the recipe's batch size would leave time).
    """
    usual = steps_within(settings.budget or 0.0, seconds_a_token, 0.0, phases)
    batch = settings.recipe.batch_size
    while batch // 2 >= LEAST_BATCH and usual * settings.recipe.batch_size / batch < UPDATES:
        batch //= 2
    return batch, usual


def with_batch(settings: PretrainingConfig, batch: int) -> PretrainingConfig:
    """Return the settings of a run with another batch size.

    Args:
        settings: the settings of the run.
        batch: the batch size.
    """
    return replace(settings, recipe=replace(settings.recipe, batch_size=batch))


EVALUATION_FRACTION = 0.2
"""Fraction of a budget that evaluations may take: with little text they would leave no time to train."""
_MIN_EVALUATIONS = 4
"""Number of evaluations that must fit into that time: rather on fewer texts than hardly any."""
_TRIAL_TEXTS = 8


@dataclass(frozen=True, slots=True)
class EvaluationSize:
    """How much held-out text each evaluation of a run reads, and how long that is expected to take.

    Attributes:
        texts: number of held-out sequences that each evaluation reads.
        total: number of all held-out sequences.
        seconds: expected seconds of an evaluation; 0 for a run without a budget, for which they are not measured.
    """

    texts: int
    total: int
    seconds: float


def size_evaluations(
    setup: TrainingSetup, budget: float | None, folder: Path
) -> tuple[TrainingSetup, EvaluationSize | None]:
    """Limit the held-out text of a run so that its evaluations fit the time budget.

    A resumed run keeps its limit.

    Args:
        setup: the parts of the run.
        budget: seconds of the run; None evaluates on all held-out text.
        folder: folder of the log, whose first row holds the limit.

    Returns:
        (setup, size): the parts of the run with limited held-out text; and the limit, None without a budget or held-out
        text.
    """
    held_out = setup.held_out
    if held_out is None or budget is None:
        return setup, None
    group, network = setup.loop.processes, setup.objective.network
    trial = replace(held_out, texts=min(_TRIAL_TEXTS, held_out.whole))
    trial.evaluate(network)  # the first one warms up
    began = time.monotonic()
    trial.evaluate(network)
    seconds_per_text = (time.monotonic() - began) / min(_TRIAL_TEXTS, held_out.whole)
    recorded = next((row.get("evaluation_texts") for row in read(folder) if row["kind"] == "start"), None)
    affordable = max(1, int(EVALUATION_FRACTION * budget / (_MIN_EVALUATIONS * max(seconds_per_text, 1e-9))))
    texts, seconds = group.broadcast((recorded or min(affordable, held_out.whole), seconds_per_text))
    size = EvaluationSize(texts, held_out.whole, seconds * texts)
    return replace(setup, held_out=replace(held_out, texts=texts)), size
