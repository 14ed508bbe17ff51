"""Probes that a study trains once: their weights are finished parts, which the same call reads again."""

from __future__ import annotations

from collections.abc import Callable

import torch
from numpy.typing import ArrayLike
from torch import nn

from wordworth.progress import Step
from wordworth.studies.finished_parts import FinishedParts
from wordworth.training.probes.train_probe import ProbeRun


def trained_probe(
    finished: FinishedParts,
    name: tuple[object, ...],
    probe: nn.Module,
    train: Callable[[], ProbeRun],
    step: Step,
    amount: int,
) -> ProbeRun:
    """Train a probe in place, or give it the weights that an earlier call trained.

    Args:
        finished: the parts of the study.
        name: of the probe, with whatever decides its training.
        probe: its first weights; afterwards it has the trained ones.
        train: trains it in place.
        step: the step of progress that the training belongs to.
        amount: of the step's total that is the training's.
    """

    def compute() -> dict[str, ArrayLike]:
        run = train()
        weights = {f"weight.{each}": value.numpy(force=True) for each, value in probe.state_dict().items()}
        return weights | {"losses": run.losses, "best_pass": run.best_pass}

    part = finished.arrays(name, compute, step, amount)
    probe.load_state_dict({each: torch.from_numpy(part[f"weight.{each}"]) for each in probe.state_dict()})
    return ProbeRun(tuple(part["losses"].tolist()), int(part["best_pass"]))
