"""Layer roll-back (Hao et al. 2019): scores of a fine-tuned model with some layers reset to pretrained weights."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial

import torch
from numpy.typing import ArrayLike

from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.progress import Step
from wordworth.studies.finetuning_changes.loss_surface import Weights, borrowed, is_encoder
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.training.finetuning.trainer import FineTunedModel

EMBEDDING, ALL = "embedding", "all"
THIRDS = ("bottom", "middle", "top")


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The score of a fine-tuned model with one part of its weights reset to pretrained ones.

    Attributes:
        name: name of the part, a key of `parts`.
        layers: numbers of the layers that are reset, from 1.
        score: the score of the model with this part reset.
        change: `score` minus the score of the fine-tuned model.
    """

    name: str
    layers: tuple[int, ...]
    score: float
    change: Change


def parts(layers: int) -> dict[str, tuple[int, ...]]:
    """Return name of each part of the weights that is reset in turn -> the numbers of its layers, from 1.

    The parts are each layer (`layer 3`), the `embedding`, the `bottom`, `middle` and `top` third of the layers, and
    `all`, the whole encoder with its embedding.

    >>> parts(3)["top"], parts(7)["middle"]
    ((3,), (3, 4, 5))
    """
    every = tuple(range(1, layers + 1))
    ends = [round(layers * third / 3) for third in range(4)]
    thirds = {name: every[ends[number] : ends[number + 1]] for number, name in enumerate(THIRDS)}
    return {
        **{f"layer {layer}": (layer,) for layer in every},
        EMBEDDING: (),
        **{name: third for name, third in thirds.items() if third},
        ALL: every,
    }


def is_reset(weight: str, part: str, layers: Collection[int]) -> bool:
    """Return True if a weight belongs to the part of a model that is reset to pretrained weights.

    Args:
        weight: name of the weight in the network.
        part: the name of the part.
        layers: numbers of the layers in the part, from 1.
    """
    if part == ALL:
        return is_encoder(weight)
    if part == EMBEDDING:
        return weight.startswith("embedding.")
    return any(weight.startswith(f"body.layers.{layer - 1}.") for layer in layers)


def predict_reset(
    tuned: FineTunedModel, start: Weights, examples: LabelledInputs, part: str, layers: Collection[int]
) -> Predicted:
    """Return the predictions of a model with one part reset to pretrained weights.

    The weights of `tuned` are changed for the predictions, and restored afterwards.

    Args:
        tuned: the fine-tuned model, computing in float32.
        start: the encoder's weights before fine-tuning, and the fine-tuned weights of the head, by name.
        examples: the rows to predict.
        part: the name of the part.
        layers: numbers of the layers in the part, from 1.
    """
    with borrowed(tuned) as live:
        for name, value in live.items():
            if is_reset(name, part, layers):
                value.copy_(start[name])
        with torch.inference_mode():
            return predict(tuned, examples)


def roll_back(  # noqa: PLR0913 - what is reset, on which rows, compared with what
    tuned: FineTunedModel,
    start: Weights,
    layers: int,
    comparison: PairedChanges,
    examples: LabelledInputs,
    whole: Predicted,
    *,
    finished: FinishedParts,
    step: Step,
) -> Iterator[RolledBack]:
    """Yield the score of a fine-tuned model with one part reset to pretrained weights, for each part of `parts`.

    Args:
        tuned: the fine-tuned model, computing in float32.
        start: the encoder's weights before fine-tuning, and the fine-tuned weights of the head, by name.
        layers: number of layers of the encoder.
        comparison: scores predictions for the examples, and compares the scores of two models on the same bootstrap
            resamples.
        examples: the labelled rows.
        whole: predictions of the fine-tuned model, without a reset, for these rows.
        finished: cache with the scores that an earlier call computed.
        step: progress step, advanced after each part.
    """

    def compute(part: str, reset: Collection[int]) -> dict[str, ArrayLike]:
        predictions = predict_reset(tuned, start, examples, part, reset)
        change = comparison.change(predictions, whole)
        step.advance(1)
        return {"score": comparison.score(predictions), "change": change.value, "draws": change.draws}

    for name, reset in parts(layers).items():
        of = ("reset", name, len(comparison.weights))
        part = finished.arrays(of, partial(compute, name, reset), step, 1)
        yield RolledBack(name, reset, float(part["score"]), Change(float(part["change"]), part["draws"]))
