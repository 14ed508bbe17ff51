"""The training loop: batches in, a better model out, and a state that any step can be taken up from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.errors import WordworthError
from wordworth.progress import SILENT, Progress
from wordworth.training.batches import Batches, Numbers
from wordworth.training.schedule import Schedule


class Diverged(WordworthError):
    """A loss or gradient stopped being a number."""


class Loss(NamedTuple):
    """The sum of the losses of a batch and how many examples (or words, or masked pieces) it counts."""

    total: Tensor
    counted: int


Objective = Callable[[Numbers, torch.Generator], Loss]
"""Example numbers and the step's generator (for dropout) to their loss. The mean is taken here, once a batch, so that
examples weigh alike whatever batch they stand in."""


@dataclass(slots=True)
class Loop:
    """One run of training. Everything random is a function of the seed of `batches` and the step's number.

    Attributes:
        model: whose parameters learn; in training mode or not, as the caller set it.
        optimiser: its groups hold their `peak` rate, which `schedule` scales.
        clip: largest norm of all gradients together; larger ones are scaled down to it.
        losses: mean loss of each step done.
    """

    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    batches: Batches
    objective: Objective
    clip: float = 1.0
    losses: list[float] = field(default_factory=list)

    @property
    def step(self) -> int:
        """Steps done."""
        return len(self.losses)

    def advance(self, steps: int, progress: Progress = SILENT) -> None:
        """Do `steps` more steps.

        Raises:
            Diverged: a loss or gradient is no number; the model stands as before that step.
        """
        with progress.step("training", total=steps) as shown:
            for numbers in islice(self.batches.after(self.step), steps):
                self._update(numbers)
                shown.advance()

    def state(self) -> dict[str, Any]:
        """All that a later `restore` needs, as tensors and plain values: save it between steps."""
        model, optimiser = self.model.state_dict(), self.optimiser.state_dict()
        return {"model": model, "optimiser": optimiser, "losses": torch.tensor(self.losses, dtype=torch.float64)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`: the steps that follow are those of the run that was never interrupted."""
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.losses[:] = state["losses"].tolist()

    def _update(self, numbers: Numbers) -> None:
        generator = torch.Generator().manual_seed(seeds.child_seed(self.batches.seed, "step", self.step))
        self.optimiser.zero_grad()
        total, counted = self.objective(numbers, generator)
        loss = total / max(counted, 1)
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        parameters = [parameter for group in self.optimiser.param_groups for parameter in group["params"]]
        norm = nn.utils.clip_grad_norm_(parameters, self.clip)
        if not (math.isfinite(loss.item()) and math.isfinite(norm.item())):
            raise Diverged(
                f"loss {loss.item():.3g}, gradient norm {norm.item():.3g}",
                where=f"training step {self.step}",
                mend="a lower learning rate or longer warm-up helps",
            )
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * self.schedule(self.step)
        self.optimiser.step()
        self.losses.append(loss.item())
