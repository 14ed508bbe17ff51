"""Choose layers of a model by number, and make the functions that compute their states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import torch
from torch import Tensor

from wordworth.errors import NotFound
from wordworth.models.batch import Batch
from wordworth.models.batched_inference import Read
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader

Layers = Literal["all"] | int | Sequence[int]


def layer_numbers(layers: Layers, depth: int) -> tuple[int, ...]:
    """Return the numbers of the chosen layers, from 0 (the input layer) to `depth`.

    Args:
        layers: "all", or a number, or several; negative numbers count from the last layer.
        depth: number of layers above the input layer.

    Raises:
        NotFound: there is no such layer.

    >>> layer_numbers([0, -1], 4)
    (0, 4)
    """
    if isinstance(layers, str):
        if str(layers) != "all":
            raise NotFound(f"there are no layers {layers!r}", mend=f'give "all", or numbers of 0 to {depth}')
        return tuple(range(depth + 1))
    requested = (layers,) if isinstance(layers, int) else tuple(layers)
    for layer in requested:
        if not -depth - 1 <= layer <= depth:
            raise NotFound(f"there is no layer {layer}", mend=f"this model has layers 0 to {depth}")
    return tuple(layer % (depth + 1) for layer in requested)


def layers_in_turn(state_reader: StateReader, numbers: Sequence[int]) -> Callable[[Batch], Iterator[Tensor]] | None:
    """Return a function that yields a batch's states in the chosen layers, one layer at a time, [tokens, width] each.

    Return None if there are fewer than two layers, or they are not in ascending order. Then use `layer_reader`: it
    makes a function that returns the states of all layers at once.

    Args:
        state_reader: computes the states of the layers, from the input layer up.
        numbers: numbers of the layers; 0 is the input layer.
    """
    if len(numbers) <= 1 or list(numbers) != sorted(set(numbers)):
        return None

    def read(batch: Batch) -> Iterator[Tensor]:
        layers = zip(range(max(numbers) + 1), state_reader.states(batch), strict=False)  # none above is computed
        return (state for layer, state in layers if layer in numbers)

    return read


def layer_reader(state_reader: StateReader, numbers: Sequence[int], *, depth: int, width: int) -> Read:
    """Return a function that computes the states of a batch in the chosen layers, float32 [tokens, layers, width].

    Args:
        state_reader: computes the states of the layers, from the input layer up.
        numbers: numbers of the layers, in the order of the result; a layer may occur several times.
        depth: number of the last layer.
        width: width of a state.
    """
    if tuple(numbers) == (depth,):  # no copies of the states below
        return lambda batch: state_reader(batch).float()[:, None]
    highest = max(numbers, default=0)
    columns = [[i for i, number in enumerate(numbers) if number == layer] for layer in range(highest + 1)]

    def read(batch: Batch) -> Tensor:
        states = torch.empty(len(numbers), len(batch.ids), width, device=batch.ids.device)
        for columns_of_layer, state in zip(columns, state_reader.states(batch), strict=False):  # none above is read
            for column in columns_of_layer:
                states[column] = state  # whole layers are written faster than rows of each token
        return states.transpose(0, 1)

    return read
