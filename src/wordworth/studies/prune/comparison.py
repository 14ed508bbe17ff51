"""Comparison of a smaller model with the whole one on the same rows: scores, their difference, and speed."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from wordworth import seeds
from wordworth.inference.finetuned_run import TunedRun
from wordworth.inference.head_importance import pruning_order
from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.inference.prediction_speed import ROUNDS, SpeedByBatch, speeds
from wordworth.inference.prune import SmallerModel
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.progress import Progress
from wordworth.tasks.task import Task

WHOLE, SMALLER = "whole", "smaller"
RANDOM_CHOICES = 5
"""Number of random choices of heads, each of as many heads as were pruned, as a control."""
_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores and speed of a smaller model and of the whole model, on rows that were not used to rank the heads.

    Attributes:
        score: score of the smaller model, on the metric's scale.
        score_before: score of the whole model, on the metric's scale.
        change: score of the smaller model minus the score of the whole model.
        random: the same difference for models in which as many heads, chosen at random, are set to 0 instead, one for
            each random choice; empty if layers were dropped.
        speed: `WHOLE` or `SMALLER` -> batch size -> speed.
    """

    score: float
    score_before: float
    change: Change
    random: tuple[Change, ...]
    speed: SpeedByBatch


def compare(
    tuned: TunedRun, smaller: SmallerModel, examples: LabelledInputs, task: Task, seed: int, progress: Progress
) -> Comparison:
    """Score and time a smaller model and the whole one on the same rows.

    If heads were pruned, there is a control: in the whole model, as many heads chosen at random are set to 0, and it is
    scored on the same rows. This is done for five random choices (`RANDOM_CHOICES`).

    Args:
        tuned: the whole fine-tuned model.
        smaller: the smaller copy of its encoder.
        examples: labelled examples that were not used to rank the heads.
        task: task of these examples.
        seed: seed of the bootstrap resamples behind the intervals, and of the random choices of heads.
        progress: receives the progress of scoring and timing.
    """
    whole = tuned.network.tuned
    small = whole.with_encoder(smaller.model)
    masks = _random_masks(smaller, seed)
    rng = seeds.child(seed, "prune", "draws")
    paired = PairedChanges.of(metric(task.metric, task.classes), examples.labels, task.classes, _DRAWS, rng)
    with progress.step("scoring before and after", (2 + len(masks)) * len(examples)) as step:
        predictions = []
        for model, mask in ((whole, None), (small, None), *((whole, mask) for mask in masks)):
            scale = None if mask is None else mask.to(whole.predictor.device)
            predictions.append(predict(model, examples, head_scale=scale))
            step.advance(len(examples))
    before, after, *random = predictions
    with progress.step("timing", ROUNDS) as step:
        speed = speeds({WHOLE: whole.predict, SMALLER: small.predict}, examples.inputs, WHOLE, step)
    changes = tuple(paired.change(each, before) for each in random)
    return Comparison(paired.score(after), paired.score(before), paired.change(after, before), changes, speed)


def _random_masks(smaller: SmallerModel, seed: int) -> list[torch.Tensor]:
    """Return, for each random choice, factors of heads [layers, heads]: 0 for heads that are removed, 1 for others.

    As many heads as were pruned are removed, and every layer keeps at least one. The list is empty if layers were
    dropped.
    """
    if smaller.importance is None:
        return []
    masks = []
    for number in range(RANDOM_CHOICES):
        order = pruning_order(seeds.child(seed, "prune", "random", number).random(smaller.importance.shape))
        mask = torch.ones(smaller.importance.shape)
        for layer, head in order[: len(smaller.heads)]:
            mask[layer, head] = 0
        masks.append(mask)
    return masks
