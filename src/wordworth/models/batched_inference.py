"""Run sequences of any length and number through a model: batch them, window long ones, and join the results."""

from __future__ import annotations

import threading
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
from wordworth.models.length_batching import ROWS_A_BATCH, ROWS_ON_GPU, batches
from wordworth.models.parallel_map import parallel_map
from wordworth.text.tokens import Tokens
from wordworth.text.windows import Plan, Window, take

_Result = TypeVar("_Result")
Floats = NDArray[np.float32]
Read = Callable[[Batch], Tensor]
"""A function: batch -> a value of each token, [tokens, ...]."""


class Pool(Protocol):
    """A function that pools the states of a sequence's tokens to one vector."""

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        """Pool states [tokens, ...] to [sequences, ...]; sequence i is the tokens `starts[i]` to `starts[i + 1]`."""

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:
        """Pool the token states of one sequence, passed in parts, to one vector, [1, ...].

        Args:
            parts: for each part the states of some tokens, [tokens, ...], and the positions of these tokens, int64
                [tokens].
            length: number of tokens of the sequence.
        """


@dataclass(frozen=True, slots=True)
class BatchedReader:
    """A function that computes the states of a batch, with the device and the batch size to call it with.

    Attributes:
        read: computes the states of a batch's tokens, [tokens, ...].
        device: the device that `read` computes on.
        batch_size: most sequences in a batch; None for no limit.
        layers: computes the same states as `read`, but one layer at a time, [tokens, d] each, so that pooling needs
            the memory of a single layer; None if `read` computes a single layer.
        is_thread_invariant: whether `read` returns the same bits on any number of threads. If it does, and there is
            only one batch, all threads compute that batch together; otherwise one thread computes each batch.
    """

    read: Read
    device: torch.device
    batch_size: int | None = None
    layers: Callable[[Batch], Iterable[Tensor]] | None = None
    is_thread_invariant: bool = False

    def pooled(
        self, sequences: Sequence[Tokens], plan: Plan, pool: Pool, advance: Callable[[int], None]
    ) -> list[Floats]:
        """Pool each sequence to one row, float32 [width]; return the rows in the order of the sequences.

        A sequence that is read in several windows is pooled as if it had been read whole. States are pooled as they are
        computed, since the states of a whole book would take gigabytes. The row of a sequence without tokens is empty.

        Args:
            sequences: the tokens of each sequence.
            plan: the windows of each sequence.
            pool: pools the states of a sequence.
            advance: called after each batch with the number of sequences that this batch finished.
        """
        rows: list[Floats] = [np.zeros(0, np.float32)] * len(sequences)
        single, several = _single_and_several(plan)
        single = [window for window in single if len(window.positions)]
        for indices, vectors in self._batched(sequences, single, lambda batch: _numpy(self._vectors(batch, pool))):
            for index, row in zip(indices, vectors, strict=True):
                rows[single[index].sequence] = row
            advance(len(indices))
        for number, parts in several.items():
            rows[number] = _numpy(pool.over(self._token_states(sequences, parts), len(sequences[number])))[0]
            advance(1)
        return rows

    def _vectors(self, batch: Batch, pool: Pool) -> Tensor:
        """Return the pooled states of a batch, [sequences, ...]; one layer at a time if `layers` is not None."""
        if self.layers is None:
            return pool(self.read(batch), batch.starts)
        return torch.stack([pool(states, batch.starts) for states in self.layers(batch)], 1)

    def parts(self, sequences: Sequence[Tokens], plan: Plan) -> Iterator[tuple[int, Tensor | None, Tensor]]:
        """Yield the states of all sequences in parts, each token once; the order of the parts is not specified.

        A sequence that fits in one window is one part; a longer sequence is several parts.

        Args:
            sequences: the tokens of each sequence.
            plan: the windows of each sequence.

        Yields:
            The index of a sequence, the positions [t] of the part's tokens in it (None for all of its tokens), and
            their states [t, ...].
        """
        single, several = _single_and_several(plan)
        for indices, parts in self._batched(
            sequences, single, lambda batch: _by_sequence(self.read(batch), batch.starts)
        ):
            for index, part in zip(indices, parts, strict=True):
                yield single[index].sequence, None, part
        for sequence, windows in several.items():
            for states, positions in self._token_states(sequences, windows):
                yield sequence, positions, states

    def _batched(
        self, sequences: Sequence[Tokens], windows: Sequence[Window], finish: Callable[[Batch], _Result]
    ) -> Iterator[tuple[list[int], _Result]]:
        """Yield (indices of a batch's windows in `windows`, `finish(batch)`) for each batch."""

        def work(indices: list[int]) -> tuple[list[int], _Result]:
            chosen = [windows[index] for index in indices]
            batch = pack([_window_tokens(sequences[window.sequence], window) for window in chosen]).to(self.device)
            with torch.inference_mode(), _enough_memory(batch):
                return indices, finish(batch)

        on_cpu = self.device.type == "cpu"
        lengths = [len(window.positions) for window in windows]
        groups = list(batches(lengths, ROWS_A_BATCH if on_cpu else ROWS_ON_GPU, self.batch_size))
        together = self.is_thread_invariant and len(groups) == 1 and _is_main_thread()
        yield from parallel_map(work, groups) if on_cpu and not together else map(work, groups)

    def _token_states(self, sequences: Sequence[Tokens], windows: Sequence[Window]) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield (states, positions in the sequence) of the tokens that are counted in the windows of each batch."""
        for indices, states in self._batched(sequences, windows, self.read):
            counted = np.concatenate([windows[index].is_counted for index in indices])
            positions = np.concatenate([windows[index].positions for index in indices])[counted]
            yield states[torch.from_numpy(counted).to(self.device)], torch.from_numpy(positions).to(self.device)


def _is_main_thread() -> bool:
    """Return whether the caller is in the main thread: elsewhere OpenMP starts a second, slower team of threads."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def _enough_memory(batch: Batch) -> Iterator[None]:
    """Raise `NotEnoughMemory` in place of an allocation failure."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError | torch.OutOfMemoryError) and "allocate memory" not in str(error):
            raise
        what = f"no memory for {len(batch.starts) - 1} texts of {len(batch.ids)} tokens"
        raise NotEnoughMemory(what, mend="use a smaller model or close other programs") from error


def _single_and_several(plan: Plan) -> tuple[list[Window], dict[int, list[Window]]]:
    """Return (the windows of sequences with one window, index of a sequence with several -> its windows)."""
    groups: dict[int, list[Window]] = {}
    for window in plan.windows:
        groups.setdefault(window.sequence, []).append(window)
    single = [windows[0] for windows in groups.values() if len(windows) == 1]
    return single, {number: windows for number, windows in groups.items() if len(windows) > 1}


def _window_tokens(tokens: Tokens, window: Window) -> Tokens:
    return tokens if len(window.positions) == len(tokens) else take(tokens, window.positions)


def _by_sequence(states: Tensor, starts: Tensor) -> tuple[Tensor, ...]:
    """Split states [tokens, ...] by sequence, which start at `starts` [sequences + 1]."""
    return torch.split(states, (starts[1:] - starts[:-1]).tolist())


def _numpy(values: Tensor) -> Floats:
    array: Floats = values.float().numpy(force=True)
    return array
