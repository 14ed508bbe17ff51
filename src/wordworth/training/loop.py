"""The training loop: batches in, a better model out, and a state that any step can be taken up from."""

from __future__ import annotations

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
from wordworth.training.distributed import ALONE, Processes
from wordworth.training.lr_schedules import Schedule
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizer_step import Update, update_of

_Batch = TypeVar("_Batch")
_Batch_co = TypeVar("_Batch_co", covariant=True)


class Diverged(WordworthError):
    """A loss or gradient stopped being a number."""


class Loss(NamedTuple):
    """The sum of the losses of a batch and how many examples (or words, or masked pieces) it counts."""

    total: Tensor
    counted: int


class BatchSource(Protocol[_Batch_co]):
    """Where a loop's batches come from: a function of a seed and the step's number."""

    @property
    def seed(self) -> int:
        """The seed that everything random of a step is drawn from."""

    def after(self, step: int) -> Iterator[_Batch_co]:
        """The batches from the one of `step` (0 first) on, without end."""


Objective = Callable[[_Batch, torch.Generator], Loss | Iterable[Tensor]]
"""A batch and the step's generator (for dropout) to its loss.

A `Loss` is divided here by its count, so that examples weigh alike whatever batch they stand in. A batch that is too
large for one pass gives its loss part by part instead: scalars that add up to it, each of which is back-propagated
before the next one is asked for."""


class StepResult(NamedTuple):
    """An update that was made: its number (0 first), mean loss, gradient norm before clipping, share of the peak."""

    step: int
    loss: float
    norm: float
    rate: float


@dataclass(slots=True)
class Loop(Generic[_Batch]):
    """One run of training. Everything random is a function of the seed of `batches` and the step's number.

    Attributes:
        model: whose parameters learn; in training mode or not, as the caller set it.
        optimiser: its groups hold their `peak` rate, which `schedule` scales.
        clip: largest norm of all gradients together; larger ones are scaled down to it.
        twin: the copy of `model` in bfloat16 that the objective runs, if it is not `model` itself.
        processes: those that share the work; each has a part of every batch, and gradients are added up.
        losses: mean loss of each step done.
    """

    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    batches: BatchSource[_Batch]
    objective: Objective[_Batch]
    clip: float = 1.0
    twin: Bf16Replica[Any] | None = None
    processes: Processes = ALONE
    losses: list[float] = field(default_factory=list)
    update: Update = field(init=False)

    def __post_init__(self) -> None:
        """The update is made of what the loop has."""
        self.update = update_of(self.optimiser, self.twin, self.processes)

    @property
    def step(self) -> int:
        """Steps done."""
        return len(self.losses)

    def train(self, steps: int, progress: Progress = SILENT) -> None:
        """Do `steps` more steps.

        Raises:
            Diverged: a loss or gradient is no number; the model stands as before that step.
        """
        with progress.step("training", total=steps) as shown:
            for _ in islice(self.run(), steps):
                shown.advance()

    def run(self) -> Generator[StepResult]:
        """Steps without end, one an item; between two of them the state may be saved or the model looked at.

        Raises:
            Diverged: as `advance`.
        """
        for batch in self.batches.after(self.step):
            yield self._step(batch)

    def state(self) -> dict[str, Any]:
        """All that a later `restore` needs, as tensors and plain values: save it between steps."""
        model, optimiser = self.model.state_dict(), self.optimiser.state_dict()
        return {"model": model, "optimiser": optimiser, "losses": torch.tensor(self.losses, dtype=torch.float64)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`: the steps that follow are those of the run that was never interrupted."""
        self.load_weights(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.update = update_of(self.optimiser, self.twin, self.processes)
        self.losses[:] = state["losses"].tolist()

    def load_weights(self, weights: dict[str, Tensor]) -> None:
        """Put other weights into the model, and into its twin."""
        self.model.load_state_dict(weights)
        if self.twin is not None:
            self.twin.sync_weights()

    def rollback_to(self, step: int, weights: dict[str, Tensor]) -> None:
        """The model as it was after `step`, to answer with; what decay has left of rows never shown follows the step.

        The optimiser's moments stay those of the end.
        """
        self.load_weights(weights)
        del self.losses[step:]

    def _step(self, batch: _Batch) -> StepResult:
        self.update.clear()
        total, gathered = self._gradients(batch), self.update.gather()
        loss, norm = _numbers(total, gathered)
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise Diverged(
                f"loss {loss:.3g}, gradient norm {norm:.3g}",
                where=f"training step {self.step}",
                mend="a lower learning rate or longer warm-up helps",
            )
        rate = self.schedule(self.step)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * rate
        self.update.step(gathered, self.clip)
        self.losses.append(loss)
        return StepResult(self.step - 1, loss, norm, rate)

    def _gradients(self, batch: _Batch) -> Tensor:
        """Leave the gradients of the batch's mean loss to the update; the loss comes back, float64."""
        generator = torch.Generator().manual_seed(seeds.child_seed(self.batches.seed, "step", self.step))
        found = self.objective(batch, generator)
        parts = [found.total / max(found.counted, 1)] if isinstance(found, Loss) else found
        losses = []
        for part in parts:
            self.update.collect()
            part.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
            losses.append(part.detach().double())
        loss = torch.stack(losses).sum()
        self.processes.all_reduce([loss])
        return loss


def _numbers(loss: Tensor, norm: Tensor) -> tuple[float, float]:
    """Both as numbers, a GPU being waited for once; the norm of divided gradients is gathered first."""
    gathered = norm.full_tensor() if hasattr(norm, "full_tensor") else norm
    first, second = torch.stack([loss, gathered.to(loss)]).tolist()
    return first, second
