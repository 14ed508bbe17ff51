"""The training loop: batches and an objective train a model; the state can be saved after any step and resumed."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.errors import WordworthError
from wordworth.progress import SILENT, Progress
from wordworth.training.batch_sampler import Numbers
from wordworth.training.lr_schedules import Schedule
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizer_step import Update, update_of
from wordworth.training.process_groups import ALONE, Processes

_Batch = TypeVar("_Batch")
_Batch_co = TypeVar("_Batch_co", covariant=True)


class Diverged(WordworthError):
    """The error for a loss or gradient that is NaN or infinite."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The summed loss of a batch, with the number of its targets.

    Attributes:
        sum: the loss, summed over the targets, float32 [] with gradient; 0 for a batch without targets.
        count: number of targets: examples, words or masked tokens. A step's mean loss divides the sum over all its
            micro-batches and processes by their total count.
        correct: number of targets that are predicted correctly, a scalar without gradient; 0 if nothing is predicted.
    """

    sum: Tensor
    count: int
    correct: Tensor = field(default_factory=lambda: torch.zeros((), dtype=torch.int64))


class BatchSource(Protocol[_Batch_co]):
    """An interface: a source of batches, each of which depends on the seed and the step's number alone."""

    @property
    def seed(self) -> int:
        """The seed of all random numbers of a step."""

    def after(self, step: int) -> Iterator[_Batch_co]:
        """Yield batches without end, beginning with the batch of a step; the first step is 0."""


Objective = Callable[[_Batch, torch.Generator], Loss | Iterable[Tensor]]
"""Maps a batch and the step's generator (for dropout) to its loss.

A `Loss` is divided here by its count, so that examples weigh the same in small and large batches. A batch that is too
large for one pass yields its loss in parts instead: scalars that add up to it, each of which is back-propagated before
the next one is computed."""


class StepResult(NamedTuple):
    """The result of one update.

    Attributes:
        step: number of the step; the first is 0.
        loss: mean loss over the targets of the step.
        norm: norm of all gradients together, before clipping.
        rate: learning rate as a share of its peak.
    """

    step: int
    loss: float
    norm: float
    rate: float


@dataclass(slots=True)
class Loop(Generic[_Batch]):
    """A training loop; all its random numbers depend on the seed of `batches` and the step's number alone.

    Attributes:
        model: the float32 model that is trained; the caller sets training or evaluation mode.
        optimiser: each parameter group holds its peak learning rate as `peak`.
        schedule: the share of the peak learning rate at each step.
        batches: the source of the batches.
        objective: computes the loss of a batch.
        max_grad_norm: the norm of all gradients together to which larger gradients are scaled down.
        replica: the bfloat16 copy of `model` with which the objective computes; None if it computes with `model`.
        processes: the processes that share the run; each has a part of every batch, and gradients are summed.
        losses: mean loss of each step done.
    """

    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    batches: BatchSource[_Batch]
    objective: Objective[_Batch]
    max_grad_norm: float = 1.0
    replica: Bf16Replica[Any] | None = None
    processes: Processes = ALONE
    losses: list[float] = field(default_factory=list)
    update: Update = field(init=False)

    def __post_init__(self) -> None:
        """Choose the update that fits the optimiser, the copy and the processes."""
        self.update = update_of(self.optimiser, self.replica, self.processes)

    @property
    def step(self) -> int:
        """The number of steps done."""
        return len(self.losses)

    def train(self, steps: int, progress: Progress = SILENT) -> None:
        """Train the model for some more steps.

        Args:
            steps: number of steps.
            progress: receives the progress.

        Raises:
            Diverged: a loss or gradient is not finite; the model is as it was before that step.
        """
        with progress.step("training", total=steps) as bar:
            for _ in islice(self.run(), steps):
                bar.advance()

    def run(self) -> Generator[StepResult]:
        """Train the model without end, one step for each result that the caller takes; yield the result of each step.

        Between two steps the caller may save the state or evaluate the model.

        Raises:
            Diverged: a loss or gradient is not finite; the model is as it was before that step.
        """
        for batch in self.batches.after(self.step):
            yield self._step(batch)

    def state(self) -> dict[str, Any]:
        """Return the state of the training, from which `restore` resumes it, as tensors and plain values.

        The caller must call it between two steps.
        """
        model, optimiser = self.model.state_dict(), self.optimiser.state_dict()
        return {"model": model, "optimiser": optimiser, "losses": torch.tensor(self.losses, dtype=torch.float64)}

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from a state that `state` returned; the following steps equal the steps of an uninterrupted run."""
        self.load_weights(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.update = update_of(self.optimiser, self.replica, self.processes)
        self.losses[:] = state["losses"].tolist()

    def load_weights(self, weights: dict[str, Tensor]) -> None:
        """Load weights into the model and its bfloat16 copy.

        Args:
            weights: name -> tensor for every weight of the model.
        """
        self.model.load_state_dict(weights)
        if self.replica is not None:
            self.replica.sync_weights()

    def rollback_to(self, step: int, weights: dict[str, Tensor]) -> None:
        """Load the weights that the model had after an earlier step, to predict with them.

        `losses` is cut to `step` entries, since the decay of untrained embedding rows is computed from its length. The
        optimiser keeps its moments of the last step.

        Args:
            step: the number of steps after which the model had these weights.
            weights: name -> tensor for every weight of the model.
        """
        self.load_weights(weights)
        del self.losses[step:]

    def _step(self, batch: _Batch) -> StepResult:
        self.update.clear()
        total, gathered = self._gradients(batch), self.update.gradient_norm()
        loss, norm = _to_floats(total, gathered)
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise Diverged(
                f"loss {loss:.3g}, gradient norm {norm:.3g}",
                where=f"training step {self.step}",
                mend="a lower learning rate or longer warm-up helps",
            )
        rate = self.schedule(self.step)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * rate
        self.update.step(gathered, self.max_grad_norm)
        self.losses.append(loss)
        return StepResult(self.step - 1, loss, norm, rate)

    def _gradients(self, batch: _Batch) -> Tensor:
        """Compute the gradients of the batch's mean loss for `update`, and return that loss, float64."""
        generator = torch.Generator().manual_seed(seeds.child_seed(self.batches.seed, "step", self.step))
        result = self.objective(batch, generator)
        parts = [result.sum / max(result.count, 1)] if isinstance(result, Loss) else result
        losses = []
        for part in parts:
            self.update.before_backward()
            part.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
            losses.append(part.detach().double())
        loss = torch.stack(losses).sum()
        self.processes.all_reduce([loss])
        return loss


def _to_floats(loss: Tensor, norm: Tensor) -> tuple[float, float]:
    """Return (loss, norm) as floats, with one GPU synchronisation; the norm of a sharded model is gathered first."""
    gathered = norm.full_tensor() if hasattr(norm, "full_tensor") else norm
    first, second = torch.stack([loss, gathered.to(loss)]).tolist()
    return first, second


@dataclass(slots=True)
class BestWeights:
    """The weights of a run's best evaluation so far; of two evaluations with equal scores, the later counts as better.

    Attributes:
        step: the number of steps after which the model had these weights.
        score: the score of these weights; None before the first evaluation.
        weights: the model's state; None before the first evaluation.
    """

    step: int = 0
    score: float | None = None
    weights: dict[str, Tensor] | None = None

    def offer(self, loop: Loop[Any], score: float) -> None:
        """Keep a copy of the model's weights if `score` is the best so far; higher is better."""
        if self.score is None or score >= self.score:
            self.step, self.score = loop.step, score
            self.weights = copy.deepcopy(loop.model.state_dict())

    def restore(self, loop: Loop[Any]) -> None:
        """Load the best weights into the model; do nothing without an evaluation or if the model has them already."""
        if self.weights is not None and self.step < loop.step:
            loop.rollback_to(self.step, self.weights)


def train_keep_best(
    loop: Loop[Numbers], steps: int, judge: Callable[[], float] | None, evaluations: int, progress: Progress = SILENT
) -> int:
    """Train a model up to a step, evaluate it at equal intervals, and load the weights that scored best.

    Without a `judge`, the model keeps its last weights.

    Args:
        loop: the run; afterwards its model has the best weights.
        steps: the step to train up to, counted from the beginning of the run.
        judge: returns the model's score on held-out examples, higher is better; None trains without evaluation.
        evaluations: number of evaluations; the last is after the last step.
        progress: receives the progress of steps.

    Returns:
        The number of steps after which the model had the weights that were loaded.
    """
    if judge is None:
        loop.train(steps - loop.step, progress)
        return loop.step
    best = BestWeights()
    for number in range(1, evaluations + 1):
        loop.train(steps * number // evaluations - loop.step, progress)
        best.offer(loop, judge())
    best.restore(loop)
    return best.step
