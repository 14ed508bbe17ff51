"""Train a probe, or load its weights from the disk cache if an earlier call has trained it."""

from __future__ import annotations

from collections.abc import Callable

import torch
from numpy.typing import ArrayLike
from torch import nn

from wordworth.progress import Step
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.training.probes.train_probe import ProbeRun


def trained_probe(
    finished: FinishedParts,
    name: tuple[object, ...],
    probe: nn.Module,
    train: Callable[[], ProbeRun],
    step: Step,
    amount: int,
) -> ProbeRun:
    """Train a probe in place, or load its weights from the cache if an earlier call trained it.

    Args:
        finished: the disk cache of the study's results.
        name: name of the probe, with everything that decides its training.
        probe: the probe with initial weights, which are replaced by the trained ones.
        train: function that trains the probe in place, and returns its losses.
        step: the step of progress that the training belongs to.
        amount: the training's share of the step's total, by which `step` is advanced if the weights are loaded from the
            cache.
    """

    def compute() -> dict[str, ArrayLike]:
        run = train()
        weights = {f"weight.{each}": value.numpy(force=True) for each, value in probe.state_dict().items()}
        return weights | {"losses": run.losses, "best_pass": run.best_pass}

    part = finished.arrays(name, compute, step, amount)
    probe.load_state_dict({each: torch.from_numpy(part[f"weight.{each}"]) for each in probe.state_dict()})
    return ProbeRun(tuple(part["losses"].tolist()), int(part["best_pass"]))
