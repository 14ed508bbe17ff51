"""How much a fine-tuned model's loss depends on each attention head, and which heads can go first.

Michel et al. 2019 (arXiv 1905.10650), section 4.1, equation 5: the importance of a head is the mean over examples of
|dL/dxi|, where L is the loss and xi is a factor on the head's output. By the chain rule dL/dxi is the sum, over the
positions of an example, of the dot product of the head's output with its gradient. The published code of Michel et al.
takes the absolute value at each position before that sum; both are computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np
import torch
from torch import Tensor

from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.weighted_sums import Floats
from wordworth.models.activation_taps import Taps, by_layer
from wordworth.models.length_batching import batches
from wordworth.progress import Step
from wordworth.tasks.task import Rows
from wordworth.training.finetuning.trainer import FineTunedModel

OUTPUTS = "layers.*.attention.heads"
_BATCH_TOKENS = 1_024
"""Tokens whose gradients are in memory together."""


@dataclass(frozen=True, slots=True)
class HeadImportance:
    """Importance of each attention head of a fine-tuned model, measured on labelled examples.

    Attributes:
        by_example: mean over examples of the absolute derivative of the loss with respect to a factor on the head's
            output (Michel et al. 2019, equation 5), float64 [layers, heads].
        by_position: mean over tokens of the absolute value of what one token's position adds to that derivative, as the
            code of Michel et al. (2019) computes it, float64 [layers, heads].
        mean_output: mean over tokens of each head's output, float32 [layers, heads, head_size].
    """

    by_example: Floats
    by_position: Floats
    mean_output: Tensor


def head_importance(tuned: FineTunedModel, examples: LabelledInputs, step: Step) -> HeadImportance:
    """Return the importance of each attention head, by one backward pass over examples.

    Args:
        tuned: the fine-tuned model, without pruned heads.
        examples: labelled examples, at least one.
        step: progress report, advanced by one for each example.
    """
    sums: list[tuple[Tensor, Tensor, Tensor]] = []
    for example_indices in _batches(examples):
        values, contributions = _contributions(tuned, examples, example_indices)
        of_example = _example_of_tokens(examples, example_indices).to(contributions.device)
        per_example = contributions.new_zeros(len(example_indices), *contributions.shape[1:]).index_add(
            0, of_example, contributions
        )
        sums.append((per_example.abs().sum(0), contributions.abs().sum(0), values.sum(0)))
        step.advance(len(example_indices))
    by_example, by_position, outputs = (reduce(torch.add, parts) for parts in zip(*sums, strict=True))
    tokens = int(examples.inputs.sizes.sum())
    mean_output = (outputs / tokens).float().cpu()
    return HeadImportance(_array(by_example / len(examples)), _array(by_position / tokens), mean_output)


def pruning_order(importance: Floats, *, reverse: bool = False) -> list[tuple[int, int]]:
    """Return the heads in the order in which to prune them, the least important first, as (layer, head) from 0.

    The importance is divided by its L2 norm within each layer before heads of several layers are compared, as Michel et
    al. (2019) do. The most important head of each layer is not in the list, so that no layer loses all heads.

    Args:
        importance: the importance of each head, float64 [layers, heads].
        reverse: whether the most important heads come first; then the least important one of each layer is left out.
    """
    norms = np.linalg.norm(importance, axis=1, keepdims=True)
    return ascending(importance / np.where(norms > 0, norms, 1.0) * (-1 if reverse else 1))


def ascending(values: Floats) -> list[tuple[int, int]]:
    """Return the heads as (layer, head) by ascending value, without the head of the largest value in each layer.

    Args:
        values: a value for each head, float64 [layers, heads].
    """
    kept = set(enumerate(values.argmax(1).tolist()))
    order = np.argsort(values, axis=None, kind="stable")
    heads = ((int(index) // values.shape[1], int(index) % values.shape[1]) for index in order)
    return [head for head in heads if head not in kept]


def _contributions(tuned: FineTunedModel, examples: LabelledInputs, example_indices: Rows) -> tuple[Tensor, Tensor]:
    """Return each head's output, and the dot product of the output with the gradient of the loss at it.

    The outputs are float64 [tokens, layers, heads, head_size], the products float64 [tokens, layers, heads].
    """
    taps = Taps(read=(OUTPUTS,))
    with torch.enable_grad():
        scores = tuned.network(examples.inputs.batch(example_indices).to(tuned.network.device), None, taps)
        loss = tuned.head.loss(scores, examples.targets, examples.inputs, example_indices).sum
        layers = [values[0] for values in by_layer(taps.seen, OUTPUTS)]
        gradients = torch.autograd.grad(loss, layers)
    values = torch.stack([layer.detach() for layer in layers], dim=1).double()
    return values, (values * torch.stack(gradients, dim=1)).sum(-1)


def _batches(examples: LabelledInputs) -> Iterator[Rows]:
    """Yield batches of examples of similar length, each as indices of examples, int64 [n]."""
    for example_indices in batches(examples.inputs.lengths.tolist(), _BATCH_TOKENS):
        yield np.array(example_indices, dtype=np.int64)


def _example_of_tokens(examples: LabelledInputs, example_indices: Rows) -> Tensor:
    """Return for each token of a batch the index, in `example_indices`, of the token's example, int64 [tokens]."""
    lengths = torch.from_numpy(examples.inputs.lengths[example_indices])
    return torch.arange(len(example_indices)).repeat_interleave(lengths)


def _array(values: Tensor) -> Floats:
    return np.asarray(values.double().cpu().numpy())
