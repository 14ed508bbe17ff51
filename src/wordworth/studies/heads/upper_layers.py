"""A fine-tuned model from one layer on: what lies below was computed once, and any ablation above reads it again."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor, nn

from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.models.batch import Batch
from wordworth.models.taps import Taps
from wordworth.models.transformer import TransformerStack
from wordworth.training.finetuning.trainer import FineTunedModel

MOST_BYTES = 2**28
"""Bytes of states that are kept; for more examples than that, every layer is computed each time."""


class StoredStates(nn.Module):
    """States before a layer, in the place of an embedding: batch by batch, in the order in which they were read.

    Args:
        batches: [tokens, width] of each batch of the same examples.
    """

    def __init__(self, batches: Sequence[Tensor]) -> None:
        super().__init__()
        self._batches, self._read = batches, 0

    def forward(self, batch: Batch) -> Tensor:
        """Return the states of the batch whose turn it is, [tokens, width].

        Raises:
            ValueError: the batch is of other examples.
        """
        states = self._batches[self._read % len(self._batches)]
        if len(states) != len(batch.ids):
            raise ValueError(f"states of {len(states)} tokens were stored, and the batch has {len(batch.ids)}")
        self._read += 1
        return states


def upper_layers(tuned: FineTunedModel, examples: LabelledInputs, first: int) -> FineTunedModel | None:
    """Return a model that predicts these examples from a layer on, the same to the bit; None if that takes much memory.

    Args:
        tuned: a fine-tuned transformer.
        examples: the only ones that it predicts, all at once.
        first: the first layer that it computes, from 1; it is called layer 0 there.
    """
    body = tuned.predictor.body
    assert isinstance(body, TransformerStack)  # noqa: S101 - heads are ablated in no other
    width = body.config.hidden_size * next(body.parameters()).element_size()
    if int(examples.inputs.sizes.sum()) * width > MOST_BYTES:
        return None
    below = f"layers.{first - 1}.output"
    taps = Taps(read=(below,))
    predict(tuned, examples, taps)
    network = copy.copy(tuned.predictor)
    network._modules = dict(network._modules)  # noqa: SLF001 - a shallow copy shares them
    network.embedding, network.body = StoredStates(taps.seen[below]), body.upper(first)
    return replace(tuned, predictor=network)
