"""`with_layers_and_pooling`: make an encoder's sentence vectors from other layers, or pool them in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import torch
from torch import Tensor

from wordworth.errors import BadInput, nearest_of_few
from wordworth.files import content_key
from wordworth.models.batch import Batch
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader
from wordworth.models.layer_choice import Layers, layer_numbers, layer_reader
from wordworth.models.pooling import Normalize, SentenceHead, SentencePooling
from wordworth.models.text_encoder import TextEncoder


@dataclass(frozen=True, slots=True)
class _LayersReader:
    """A `StateReader` whose last state is the concatenation of chosen layers.

    Layers above the highest chosen layer are not computed.

    Attributes:
        state_reader: computes the states of the layers, from the input layer up.
        numbers: numbers of the chosen layers; 0 is the input layer.
        width: width of the states of one layer.
        depth: number of the last layer.
    """

    state_reader: StateReader
    numbers: tuple[int, ...]
    width: int
    depth: int

    def __call__(self, batch: Batch) -> Tensor:
        """Return the concatenated states of a batch, float32 [tokens, layers x width]."""
        return layer_reader(self.state_reader, self.numbers, depth=self.depth, width=self.width)(batch).flatten(1)

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Yield the states of every layer, chosen or not, from the input layer up, [tokens, width] each."""
        return self.state_reader.states(batch)


@dataclass(frozen=True)
class _InnerTokensHead(SentenceHead):
    """A head that leaves special tokens out, unless a sequence has no others.

    Attributes:
        prefix: number of special tokens at the beginning of a sequence.
        suffix: number of special tokens at the end of a sequence.
    """

    prefix: int = 1
    suffix: int = 1

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        """Pool states [tokens, d] to sentence vectors [sequences, width of the head]."""
        lengths, marks = starts.diff(), self.prefix + self.suffix
        of_token = lengths.repeat_interleave(lengths)
        position = torch.arange(len(states), device=starts.device) - starts[:-1].repeat_interleave(lengths)
        is_inner = (position >= self.prefix) & (position < of_token - self.suffix) | (of_token <= marks)
        inner = torch.where(lengths > marks, lengths - marks, lengths)
        return super().__call__(states[is_inner], torch.cat([starts[:1], inner.cumsum(0)]))

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:
        """Pool the token states of one long sequence, passed in parts, to one vector."""

        def inner() -> Iterator[tuple[Tensor, Tensor]]:
            for states, positions in parts:
                is_inner = (positions >= self.prefix) & (positions < length - self.suffix)
                if is_inner.any():
                    yield states[is_inner], positions[is_inner] - self.prefix

        return super().over(inner(), length - self.prefix - self.suffix)

    @property
    def fingerprint(self) -> str:
        """Key of everything that determines the output of this head."""
        return content_key(super().fingerprint, "inner tokens", self.prefix, self.suffix)


def with_layers_and_pooling(
    encoder: TextEncoder,
    layers: Layers | None = None,
    pooling: Sequence[SentencePooling] = (),
    *,
    special_tokens: bool = True,
) -> TextEncoder:
    """Return an encoder whose sentence vectors are made from other layers, or pooled in another way.

    Dense layers after the pooling are left out, as they were trained on the vectors of the original pooling. Scaling to
    length 1 stays.

    Args:
        encoder: the encoder; it is not changed.
        layers: the layers whose states are concatenated for each token. Negative numbers count from the last layer;
            None is the last layer alone.
        pooling: the poolings whose vectors are concatenated; if empty, the poolings of `encoder`.
        special_tokens: whether special tokens, such as [CLS] and [SEP], are pooled too.

    Raises:
        BadInput: there is no pooling of that name.
        NotFound: the encoder has no such layer.
    """
    for name in pooling:
        if name not in get_args(SentencePooling):
            mend = nearest_of_few(str(name), get_args(SentencePooling))
            raise BadInput(f"no pooling {name!r:.40}", where="--pooling", mend=mend)
    numbers = () if layers is None else layer_numbers(layers, encoder.depth)
    if not numbers and not pooling and special_tokens:
        return encoder
    steps = tuple(step for step in encoder.head.steps if isinstance(step, Normalize))
    head = SentenceHead(tuple(pooling) or encoder.head.modes, steps, numbers)
    if not special_tokens:
        head = _InnerTokensHead(head.modes, steps, numbers, encoder.window.prefix, encoder.window.suffix)
    reader = (
        _LayersReader(encoder.state_reader, numbers, encoder.model.width, encoder.depth)
        if numbers
        else encoder.state_reader
    )
    return replace(encoder, head=head, state_reader=reader)
