"""Predictions of a fine-tuned model with some attention heads ablated: by zero, by their mean, or by uniform attention.

Ablation by zero sets a head's output to 0 (the mask of Michel et al. 2019, arXiv 1905.10650). Ablation by the mean puts
the head's mean output in its place, so that the part that is the same in every text remains. Ablation by uniform
attention gives every token the same weight (Kovaleva et al. 2019, arXiv 1908.08593, section 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.activation_taps import Change, Taps
from wordworth.progress import Step
from wordworth.studies.heads.upper_layers_from_stored_states import upper_layers
from wordworth.training.finetuning.trainer import FineTunedModel

Ablation = Literal["zero", "mean", "uniform"]
ABLATIONS: tuple[Ablation, ...] = ("zero", "mean", "uniform")
HeadSet = Collection[tuple[int, int]]
"""Attention heads as (layer, head), both from 0."""


@dataclass(frozen=True, slots=True)
class AblatedModel:
    """A fine-tuned model whose heads can be ablated.

    Attributes:
        tuned: the fine-tuned model.
        shape: number of layers, and of heads in a layer.
        causal: whether a token attends only to itself and the tokens before it.
        mean_output: float32 [layers, heads, head_size], each head's mean output, which replaces its output in ablation
            by the mean.
        step: progress step, advanced by the number of examples after each prediction.
        first: index of the first layer that is computed; heads of the layers below cannot be ablated.
    """

    tuned: FineTunedModel
    shape: tuple[int, int]
    causal: bool
    mean_output: Tensor
    step: Step
    first: int = 0

    def from_layer(self, first: int, examples: LabelledInputs) -> AblatedModel:
        """Return a faster model for these examples, which computes only the layers from `first` on.

        The states of the layer below are computed once and stored. If `upper_layers` cannot store them, or if `first`
        is 0, the model itself is returned.

        Args:
            first: the lowest layer whose heads will be ablated, from 0.
            examples: the examples; the model that is returned predicts no others.
        """
        upper = upper_layers(self.tuned, examples, first) if first else None
        return self if upper is None else replace(self, tuned=upper, first=first)

    def predict(self, examples: LabelledInputs, heads: HeadSet = (), ablation: Ablation = "zero") -> Predicted:
        """Return the predictions for examples with the given heads ablated.

        Args:
            examples: the examples.
            heads: the heads to ablate, each as (layer, head).
            ablation: how a head is ablated: `zero`, `mean` or `uniform`.
        """
        if ablation == "zero":
            scale = self.scale_without(heads)[self.first :] if heads else None
            predictions = predict(self.tuned, examples, head_scale=scale)
        else:
            predictions = predict(self.tuned, examples, Taps(change=_CHANGES[ablation](self, heads)))
        self.step.advance(len(examples))
        return predictions

    def scale_without(self, heads: HeadSet) -> Tensor:
        """Return the factor by which each head's output is multiplied, float32 [layers, heads].

        The factor is 0 for the given heads and 1 for all others.
        """
        scale = torch.ones(self.shape, device=self.tuned.predictor.device)
        for layer, head in heads:
            scale[layer, head] = 0
        return scale


def mean_changes(model: AblatedModel, heads: HeadSet) -> Mapping[str, Change]:
    """Return the changes to a forward pass that replace the output of each given head by its mean output.

    The mean is taken over the tokens of all texts (`AblatedModel.mean_output`).

    The result maps the name of a tensor of the model to the change of that tensor.
    """

    def change(layer: int, of_layer: list[int]) -> Change:
        mean = model.mean_output[layer, of_layer]

        def to_mean(outputs: Tensor) -> Tensor:
            numbers = torch.tensor(of_layer, device=outputs.device)
            return outputs.index_copy(1, numbers, mean.to(outputs).expand(len(outputs), -1, -1))

        return to_mean

    return _by_layer(model, heads, "heads", change)


def uniform_changes(model: AblatedModel, heads: HeadSet) -> Mapping[str, Change]:
    """Return the changes to a forward pass by which the given heads attend uniformly to all tokens.

    In a causal model, a token attends uniformly to itself and the tokens before it.

    The result maps the name of a tensor of the model to the change of that tensor.
    """

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
