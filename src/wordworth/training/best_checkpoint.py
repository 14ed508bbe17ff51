"""Training with an eye on held-out examples: the best of a few looks stays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

from wordworth.progress import SILENT, Progress
from wordworth.training.batch_sampler import Numbers
from wordworth.training.loop import Loop


@dataclass(frozen=True, slots=True)
class BestStep:
    """The step whose weights the model now has, and its score; None where nobody looked."""

    step: int
    score: float | None = None


def train_keep_best(
    loop: Loop[Numbers], steps: int, judge: Callable[[], float] | None, looks: int, progress: Progress = SILENT
) -> BestStep:
    """Train for `steps`; with a judge, look `looks` times on the way and keep the weights that it liked best.

    The later of two equal looks stays, as it has learned longer. Without a judge the last weights stay.
    """
    if judge is None:
        loop.train(steps - loop.step, progress)
        return BestStep(loop.step)
    best, weights = BestStep(0), None
    for look in range(1, looks + 1):
        loop.train(steps * look // looks - loop.step, progress)
        score = judge()
        if best.score is None or score >= best.score:
            best, weights = BestStep(loop.step, score), copy.deepcopy(loop.model.state_dict())
    if weights is not None and best.step < loop.step:
        loop.rollback_to(best.step, weights)
    return best
