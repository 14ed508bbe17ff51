"""Pooling, always by name: many states become one vector, for a sentence or for a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.files import content_key

SentencePooling = Literal["mean", "cls", "max", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
WordPooling = Literal["first", "mean", "last"]


def pool(states: Tensor, starts: Tensor, mode: SentencePooling) -> Tensor:
    """One vector a sequence.

    Args:
        states: [tokens, ..., d]; special tokens count, as in sentence-transformers.
        starts: [sequences + 1]; no sequence may be empty.
        mode: `mean`; `cls` (first token); `max`; `mean_sqrt_len_tokens` (sum over the root of the length);
            `weightedmean` (the i-th token weighs i, from 1); `lasttoken`.

    Returns:
        float32 [sequences, ..., d].
    """
    return _SENTENCE[mode](states.float(), starts.long())


def pool_words(states: Tensor, words: Tensor, number: int, mode: WordPooling) -> Tensor:
    """One vector a word.

    Args:
        states: [tokens, ..., d].
        words: int64 [tokens], each token's word; -1 for none. A word's tokens stand in order.
        number: how many words there are.
        mode: a word's `first` piece, `last` piece, or the `mean` of its pieces.

    Returns:
        float32 [number, ..., d]; a word without pieces is all zeros.
    """
    inner = words >= 0
    states, words = states[inner].float(), words[inner].long()
    pooled = states.new_zeros(number, *states.shape[1:])
    if mode == "mean":
        pieces = torch.bincount(words, minlength=number).clamp(min=1)
        return pooled.index_add(0, words, states) / _beside(pieces, pooled)
    edge = torch.ones_like(inner[: len(words)])
    if mode == "first":
        edge[1:] = words[1:] != words[:-1]
    else:
        edge[:-1] = words[1:] != words[:-1]
    pooled[words[edge]] = states[edge]
    return pooled


def word_shares(words: Tensor, number: int, mode: WordPooling) -> Tensor:
    """What each token's state counts in its word's: `pool_words` is the sum of the states times these shares.

    Args:
        words: int64 [tokens], each token's word; -1 for none.
        number: how many words there are.
        mode: how a word's pieces become one state.

    Returns:
        float32 [tokens]; 0 of tokens of no word.
    """
    inner = words >= 0
    mine = words[inner].long()
    if mode == "mean":
        of_inner = 1 / torch.bincount(mine, minlength=number).float()[mine]
    else:
        changes = mine[1:] != mine[:-1]
        edge = changes.new_ones(1)
        of_inner = torch.cat((edge, changes) if mode == "first" else (changes, edge))[: len(mine)].float()
    shares = of_inner.new_zeros(len(words))
    shares[inner] = of_inner
    return shares


class Running:
    """The pooling of one sequence whose states come a part at a time, so that they are never held together.

    Each token comes once, in any order of parts.
    """

    def __init__(self, mode: SentencePooling, length: int) -> None:
        """`length` counts the tokens of the whole sequence."""
        self._mode, self._length = mode, length
        self._pooled: Tensor | None = None

    def add(self, states: Tensor, places: Tensor) -> None:
        """States [tokens, ..., d] of the tokens at `places`, int64 [tokens] from 0."""
        part = self._part(states.float(), places)
        if part is None:
            return
        if self._pooled is None:
            self._pooled = part
        else:
            self._pooled = torch.maximum(self._pooled, part) if self._mode == "max" else self._pooled + part

    def _part(self, states: Tensor, places: Tensor) -> Tensor | None:
        """What these tokens bring; None of tokens that the mode does not look at."""
        if self._mode in {"cls", "lasttoken"}:
            mine = places == (0 if self._mode == "cls" else self._length - 1)
            return states[mine][0] if mine.any() else None
        if self._mode == "max":
            return states.amax(0)
        weighted = states * _beside(places + 1, states) if self._mode == "weightedmean" else states
        return weighted.sum(0)

    def vector(self) -> Tensor:
        """float32 [..., d], once every token has come."""
        assert self._pooled is not None  # noqa: S101 - no sequence is empty
        length = float(self._length)
        divisors = {"mean": length, "mean_sqrt_len_tokens": length**0.5, "weightedmean": length * (length + 1) / 2}
        vector: Tensor = self._pooled / divisors.get(self._mode, 1.0)
        return vector


@dataclass(frozen=True, slots=True)
class Dense:
    """A linear map with an activation behind the pooling: weight [out, in], bias [out] or none."""

    weight: Tensor
    bias: Tensor | None
    activation: str

    def __call__(self, vectors: Tensor) -> Tensor:
        """[n, in] to [n, out]."""
        return DENSE_ACTIVATIONS[self.activation](functional.linear(vectors, self.weight, self.bias))

    @property
    def fingerprint(self) -> str:
        """A key of all that decides what it makes of vectors."""
        arrays = (part.float().numpy(force=True).tobytes() for part in (self.weight, self.bias) if part is not None)
        return content_key(self.activation, *arrays)


@dataclass(frozen=True, slots=True)
class Normalize:
    """Each vector to length 1."""

    def __call__(self, vectors: Tensor) -> Tensor:
        """[n, d] to the same shape; a zero vector stays zero."""
        return functional.normalize(vectors, dim=-1)

    @property
    def fingerprint(self) -> str:
        """There is but one way to do it."""
        return "normalize"


DENSE_ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "torch.nn.modules.linear.Identity": lambda x: x,
    "torch.nn.modules.activation.Tanh": torch.tanh,
    "torch.nn.modules.activation.ReLU": functional.relu,
    "torch.nn.modules.activation.GELU": functional.gelu,
    "torch.nn.modules.activation.Sigmoid": torch.sigmoid,
}


@dataclass(frozen=True, slots=True)
class SentenceHead:
    """From token states to a sentence vector.

    Attributes:
        modes: poolings whose results stand side by side.
        steps: what follows, in order.
    """

    modes: tuple[SentencePooling, ...] = ("mean",)
    steps: tuple[Dense | Normalize, ...] = ()

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        """float32 [sequences, width of the head] from [tokens, d]."""
        return self._stepped(torch.cat([pool(states, starts, mode) for mode in self.modes], dim=-1))

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:
        """The same of one sequence of `length` tokens, [1, width of the head], as its states and their places come."""
        running = [Running(mode, length) for mode in self.modes]
        for states, places in parts:
            for each in running:
                each.add(states, places)
        return self._stepped(torch.cat([each.vector() for each in running], dim=-1)[None])

    def _stepped(self, vectors: Tensor) -> Tensor:
        for step in self.steps:
            vectors = step(vectors)
        return vectors

    @property
    def fingerprint(self) -> str:
        """A key of all that decides what it makes of states."""
        return content_key(self.modes, *(step.fingerprint for step in self.steps))

    def width(self, hidden_size: int) -> int:
        """Numbers in a sentence vector."""
        for step in reversed(self.steps):
            if isinstance(step, Dense):
                return len(step.weight)
        return hidden_size * len(self.modes)


def _lengths(starts: Tensor) -> Tensor:
    return starts[1:] - starts[:-1]


def _beside(numbers: Tensor, values: Tensor) -> Tensor:
    """[n] shaped to divide [n, ..., d]."""
    return numbers.to(values.dtype).view(-1, *[1] * (values.dim() - 1))


def _sum(states: Tensor, starts: Tensor) -> Tensor:
    sequences = torch.arange(len(starts) - 1, device=starts.device)
    owner = sequences.repeat_interleave(_lengths(starts), output_size=len(states))  # a GPU is not asked how many
    return states.new_zeros(len(starts) - 1, *states.shape[1:]).index_add(0, owner, states)


def _mean(states: Tensor, starts: Tensor) -> Tensor:
    total = _sum(states, starts)
    return total / _beside(_lengths(starts), total)


def _mean_sqrt(states: Tensor, starts: Tensor) -> Tensor:
    total = _sum(states, starts)
    return total / _beside(_lengths(starts).sqrt(), total)


def _weighted_mean(states: Tensor, starts: Tensor) -> Tensor:
    lengths = _lengths(starts)
    places = torch.arange(1, len(states) + 1, device=starts.device) - starts[:-1].repeat_interleave(
        lengths, output_size=len(states)
    )
    total = _sum(states * _beside(places, states), starts)
    return total / _beside(lengths * (lengths + 1) / 2, total)


def _max(states: Tensor, starts: Tensor) -> Tensor:
    return torch.stack([part.amax(0) for part in torch.split(states, _lengths(starts).tolist())])


_SENTENCE: Mapping[SentencePooling, Callable[[Tensor, Tensor], Tensor]] = {
    "mean": _mean,
    "cls": lambda states, starts: states[starts[:-1]],
    "max": _max,
    "mean_sqrt_len_tokens": _mean_sqrt,
    "weightedmean": _weighted_mean,
    "lasttoken": lambda states, starts: states[starts[1:] - 1],
}
