"""Predictions of a fine-tuned model with some attention heads ablated: by zero, by their mean, or by uniform attention.

Zero is Michel et al.'s (2019) mask; uniform attention is that of Kovaleva et al. (2019, arXiv 1908.08593, section 4.4),
who give every token of the input the same weight; the mean keeps what a head adds to every text alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.taps import Change, Taps
from wordworth.progress import Step
from wordworth.studies.heads.upper_layers import upper_layers
from wordworth.training.finetuning.trainer import FineTunedModel

Ablation = Literal["zero", "mean", "uniform"]
ABLATIONS: tuple[Ablation, ...] = ("zero", "mean", "uniform")
HeadSet = Collection[tuple[int, int]]
"""Attention heads as (layer, head), both from 0."""


@dataclass(frozen=True, slots=True)
class AblatedModel:
    """A fine-tuned model whose heads can be ablated.

    Attributes:
        tuned: the model.
        shape: its numbers of layers and of heads in a layer.
        causal: whether a token attends only to itself and the tokens before it.
        mean_output: float32 [layers, heads, head_size], the output that takes a head's place in a mean ablation.
        step: advanced by each example that is predicted.
        first: the first layer that is computed; heads of the layers below it cannot be ablated.
    """

    tuned: FineTunedModel
    shape: tuple[int, int]
    causal: bool
    mean_output: Tensor
    step: Step
    first: int = 0

    def from_layer(self, first: int, examples: LabelledInputs) -> AblatedModel:
        """Return the model that computes these examples from a layer on, whose heads and those above can be ablated.

        Args:
            first: the layer, from 0.
            examples: the only ones that it predicts.
        """
        upper = upper_layers(self.tuned, examples, first) if first else None
        return self if upper is None else replace(self, tuned=upper, first=first)

    def predict(self, examples: LabelledInputs, heads: HeadSet = (), ablation: Ablation = "zero") -> Predicted:
        """Predict examples with these heads ablated."""
        if ablation == "zero":
            scale = self.scale_without(heads)[self.first :] if heads else None
            predictions = predict(self.tuned, examples, head_scale=scale)
        else:
            predictions = predict(self.tuned, examples, Taps(change=_CHANGES[ablation](self, heads)))
        self.step.advance(len(examples))
        return predictions

    def scale_without(self, heads: HeadSet) -> Tensor:
        """Return `head_scale` with 0 for these heads, float32 [layers, heads]."""
        scale = torch.ones(self.shape, device=self.tuned.predictor.device)
        for layer, head in heads:
            scale[layer, head] = 0
        return scale


def mean_changes(model: AblatedModel, heads: HeadSet) -> Mapping[str, Change]:
    """Put a head's mean output in the place of its output."""

    def change(layer: int, of_layer: list[int]) -> Change:
        mean = model.mean_output[layer, of_layer]

        def to_mean(outputs: Tensor) -> Tensor:
            numbers = torch.tensor(of_layer, device=outputs.device)
            return outputs.index_copy(1, numbers, mean.to(outputs).expand(len(outputs), -1, -1))

        return to_mean

    return _by_layer(model, heads, "heads", change)


def uniform_changes(model: AblatedModel, heads: HeadSet) -> Mapping[str, Change]:
    """Give every token that a head may attend to the same weight."""

    def change(layer: int, of_layer: list[int]) -> Change:  # noqa: ARG001 - as the other ablation
        def to_uniform(weights: Tensor) -> Tensor:
            visible = torch.ones_like(weights[0])
            visible = visible.tril() if model.causal else visible
            uniform = (visible / visible.sum(-1, keepdim=True)).expand(len(of_layer), -1, -1)
            return weights.index_copy(0, torch.tensor(of_layer, device=weights.device), uniform)

        return to_uniform

    return _by_layer(model, heads, "probabilities", change)


def _by_layer(
    model: AblatedModel, heads: HeadSet, value: str, change: Callable[[int, list[int]], Change]
) -> Mapping[str, Change]:
    layers = sorted({layer for layer, _ in heads})
    return {
        f"layers.{layer - model.first}.attention.{value}": change(
            layer, [head for each, head in heads if each == layer]
        )
        for layer in layers
    }


_CHANGES: Mapping[str, Callable[[AblatedModel, HeadSet], Mapping[str, Change]]] = {
    "mean": mean_changes,
    "uniform": uniform_changes,
}
