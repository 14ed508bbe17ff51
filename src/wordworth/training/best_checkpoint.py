"""Training with regular evaluation on held-out examples, which keeps the weights of the best evaluation."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

from wordworth.progress import SILENT, Progress
from wordworth.training.batch_sampler import Numbers
from wordworth.training.loop import Loop


@dataclass(frozen=True, slots=True)
class BestStep:
    """The step whose weights the model now has, and its score (None without evaluation)."""

    step: int
    score: float | None = None


def train_keep_best(
    loop: Loop[Numbers], steps: int, judge: Callable[[], float] | None, looks: int, progress: Progress = SILENT
) -> BestStep:
    """Train for `steps`, evaluating `looks` times on the way, and keep the weights that scored best.

    Of two equal scores the later wins, as its weights have learned longer. Without a judge the last weights stay.

    Args:
        loop: what trains; afterwards its model has the best weights.
        steps: the step to train up to, counted from the beginning of the run.
        judge: scores the model as it is on held-out examples, higher is better; None trains without evaluation.
        looks: number of evaluations, at equal distances; the last is after the last step.
        progress: shows the steps.
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
