"""`with_layers_and_pooling`: an encoder whose sentence vectors are of other layers, or pooled in another way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from torch import Tensor

from wordworth.errors import BadInput, nearest_of_few
from wordworth.models.batch import Batch
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader
from wordworth.models.layer_choice import Layers, layer_numbers, layer_reader
from wordworth.models.pooling import Normalize, SentencePooling
from wordworth.models.text_encoder import TextEncoder


@dataclass(frozen=True, slots=True)
class _LayersReader:
    """Computes the states of chosen layers, joined; layers above the highest are not computed."""

    last: StateReader
    numbers: tuple[int, ...]
    width: int
    depth: int

    def __call__(self, batch: Batch) -> Tensor:
        """Return the states of a batch, float32 [tokens, layers x width]."""
        return layer_reader(self.last, self.numbers, depth=self.depth, width=self.width)(batch).flatten(1)

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Yield the states of every layer from the input layer up, [tokens, width] each."""
        return self.last.states(batch)


def with_layers_and_pooling(
    encoder: TextEncoder, layers: Layers | None = None, pooling: Sequence[SentencePooling] = ()
) -> TextEncoder:
    """Return an encoder whose sentence vectors are of other layers, or pooled in another way.

    Dense layers after the pooling are left out, as they were trained for the encoder's own; scaling to length 1 stays.

    Args:
        encoder: the encoder; it is not changed.
        layers: the layers whose states are joined for each token, negative numbers counted from the last; None is the
            last layer.
        pooling: the poolings whose vectors are joined; empty is the encoder's own.

    Raises:
        BadInput: there is no pooling of that name.
        NotFound: the encoder has no such layer.
    """
    for name in pooling:
        if name not in get_args(SentencePooling):
            mend = nearest_of_few(str(name), get_args(SentencePooling))
            raise BadInput(f"no pooling {name!r:.40}", where="--pooling", mend=mend)
    numbers = () if layers is None else layer_numbers(layers, encoder.depth)
    if not numbers and not pooling:
        return encoder
    steps = tuple(step for step in encoder.head.steps if isinstance(step, Normalize))
    head = replace(encoder.head, modes=tuple(pooling) or encoder.head.modes, steps=steps, layers=numbers)
    reader = _LayersReader(encoder.last, numbers, encoder.model.width, encoder.depth) if numbers else encoder.last
    return replace(encoder, head=head, last=reader)
