"""The upper layers of a fine-tuned model over stored states of the layer below, for many ablations of the same rows."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor, nn

from wordworth.inference.labelled_inputs import LabelledInputs, predict
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch
from wordworth.models.transformer import TransformerStack
from wordworth.training.finetuning.trainer import FineTunedModel

MOST_BYTES = 2**28
"""Most bytes of states that are stored; where the examples have more, every layer is computed each time."""


class StoredStates(nn.Module):
    """A module in place of a model's embedding; each call returns the stored states of the next batch.

    After the last batch the module begins again with the first.

    Args:
        batches: states [tokens, width] of each batch, in the order in which the batches are requested.
    """

    def __init__(self, batches: Sequence[Tensor]) -> None:
        super().__init__()
        self._batches, self._read = batches, 0

    def forward(self, batch: Batch) -> Tensor:
        """Return the stored states of the next batch, [tokens, width].

        Raises:
            ValueError: the batch has another number of tokens than the stored states.
        """
        states = self._batches[self._read % len(self._batches)]
        if len(states) != len(batch.ids):
            raise ValueError(f"states of {len(states)} tokens were stored, and the batch has {len(batch.ids)}")
        self._read += 1
        return states


def upper_layers(tuned: FineTunedModel, examples: LabelledInputs, first: int) -> FineTunedModel | None:
    """Return a model that computes the layer `first` and all layers above from stored states of the layer below.

    The scores of this model equal the whole model's scores to the bit.

    Args:
        tuned: a fine-tuned transformer.
        examples: the examples; the model that is returned predicts all of them at once, and no others.
        first: index of the lowest layer that is computed, at least 1; this layer is layer 0 of the returned model.

    Returns:
        The model; None if the stored states would take more than `MOST_BYTES`, or if layers also use features of the
        tokens that are not stored.
    """
    body = tuned.predictor.body
    assert isinstance(body, TransformerStack)  # noqa: S101 - heads are ablated in no other
    if body.features:
        return None
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
