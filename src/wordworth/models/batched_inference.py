"""Sequences of any length and number through a model: batched, windowed where they must be, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import NotEnoughMemory
from wordworth.models.batch import Batch, pack
from wordworth.models.length_batching import batches
from wordworth.models.parallel_map import side_by_side
from wordworth.text.encoding import Tokens
from wordworth.text.windows import Plan, Window, take

_Result = TypeVar("_Result")
Floats = NDArray[np.float32]
Read = Callable[[Batch], Tensor]
"""From a batch to what is wanted of each token: [tokens, ...]."""


class Pool(Protocol):
    """From token states to one row a sequence."""

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        """[sequences, ...] from [tokens, ...]."""

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:
        """[1, ...] of one sequence of `length` tokens from some of its states and their places at a time."""


@dataclass(frozen=True, slots=True)
class BatchedReader:
    """One way of reading batches, and where the model is."""

    read: Read
    device: torch.device

    def pooled(
        self, sequences: Sequence[Tokens], plan: Plan, pool: Pool, advance: Callable[[float], None]
    ) -> list[Floats]:
        """Each sequence's row, in their order; a sequence in several windows is pooled as if it had been read whole.

        Its states are pooled as they come: those of a book together are gigabytes. A sequence without tokens has an
        empty row.
        """
        rows: list[Floats] = [np.zeros(0, np.float32)] * len(sequences)
        single, several = _apart(plan)
        single = [window for window in single if len(window.places)]
        for places, found in self._batched(sequences, single, lambda states, starts: _numpy(pool(states, starts))):
            for place, row in zip(places, found, strict=True):
                rows[single[place].sequence] = row
            advance(len(places))
        for number, parts in several.items():
            rows[number] = _numpy(pool.over(self._counted(sequences, parts), len(sequences[number])))[0]
            advance(1)
        return rows

    def parts(self, sequences: Sequence[Tokens], plan: Plan) -> Iterator[tuple[int, Tensor | None, Tensor]]:
        """Token states, [t, ...], with their sequence's number and their places in it; None where they are all of it.

        In no particular order; a sequence in several windows comes some windows at a time, each token once.
        """
        single, several = _apart(plan)
        for places, found in self._batched(sequences, single, _apiece):
            for place, part in zip(places, found, strict=True):
                yield single[place].sequence, None, part
        for number, parts in several.items():
            for states, rows in self._counted(sequences, parts):
                yield number, rows, states

    def _batched(
        self, sequences: Sequence[Tokens], windows: Sequence[Window], finish: Callable[[Tensor, Tensor], _Result]
    ) -> Iterator[tuple[list[int], _Result]]:
        """For each batch of windows: their places in `windows`, and what `finish` makes of token states and starts."""

        def work(places: list[int]) -> tuple[list[int], _Result]:
            chosen = [windows[place] for place in places]
            batch = pack([_seen(sequences[window.sequence], window) for window in chosen]).to(self.device)
            with torch.inference_mode(), _enough_memory(batch):
                return places, finish(self.read(batch), batch.starts)

        pieces = batches([len(window.places) for window in windows])
        yield from side_by_side(work, pieces) if self.device.type == "cpu" else map(work, pieces)

    def _counted(self, sequences: Sequence[Tokens], windows: Sequence[Window]) -> Iterator[tuple[Tensor, Tensor]]:
        """The state of each token in the window that answers for it, and the token's place, some windows at a time."""
        for places, states in self._batched(sequences, windows, lambda states, _: states):
            counted = np.concatenate([windows[place].counted for place in places])
            rows = np.concatenate([windows[place].places for place in places])[counted]
            yield states[torch.from_numpy(counted).to(self.device)], torch.from_numpy(rows).to(self.device)


@contextmanager
def _enough_memory(batch: Batch) -> Iterator[None]:
    """Say in a person's words that the machine is too small."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError | torch.OutOfMemoryError) and "allocate memory" not in str(error):
            raise
        what = f"no memory for {len(batch.starts) - 1} texts of {len(batch.ids)} tokens"
        raise NotEnoughMemory(what, mend="use a smaller model or close other programs") from error


def _apart(plan: Plan) -> tuple[list[Window], dict[int, list[Window]]]:
    """Windows that are a sequence's only one, and those of sequences with several."""
    groups: dict[int, list[Window]] = {}
    for window in plan.windows:
        groups.setdefault(window.sequence, []).append(window)
    single = [windows[0] for windows in groups.values() if len(windows) == 1]
    return single, {number: windows for number, windows in groups.items() if len(windows) > 1}


def _seen(tokens: Tokens, window: Window) -> Tokens:
    return tokens if len(window.places) == len(tokens) else take(tokens, window.places)


def _apiece(states: Tensor, starts: Tensor) -> tuple[Tensor, ...]:
    """The states of each sequence."""
    return torch.split(states, (starts[1:] - starts[:-1]).tolist())


def _numpy(values: Tensor) -> Floats:
    array: Floats = values.float().numpy(force=True)
    return array
