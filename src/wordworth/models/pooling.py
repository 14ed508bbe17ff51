"""Pooling of states to one vector per sentence or word; the method is always named explicitly."""

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

_IDENTITY = "torch.nn.modules.linear.Identity"


def pool(states: Tensor, starts: Tensor, mode: SentencePooling) -> Tensor:
    """Pool token states to one vector per sequence.

    Args:
        states: [tokens, ..., d]; special tokens are included, as in sentence-transformers.
        starts: [sequences + 1]; no sequence may be empty.
        mode: `mean`; `cls` (first token); `max`; `mean_sqrt_len_tokens` (sum over the root of the length);
            `weightedmean` (the i-th token weighs i, from 1); `lasttoken`.

    Returns:
        [sequences, ..., d], float64 for float64 states, else float32.
    """
    return _SENTENCE[mode](states if states.dtype == torch.float64 else states.float(), starts.long())


def pool_words(states: Tensor, words: Tensor, word_count: int, mode: WordPooling) -> Tensor:
    """Pool token states to one vector per word.

    Args:
        states: [tokens, ..., d].
        words: int64 [tokens], index of each token's word; -1 for none. A word's tokens are in order.
        word_count: number of words.
        mode: a word's `first` piece, `last` piece, or the `mean` of its pieces.

    Returns:
        float32 [word_count, ..., d]; a word without pieces is all zeros.
    """
    inner = words >= 0
    states, words = states[inner].float(), words[inner].long()
    pooled = states.new_zeros(word_count, *states.shape[1:])
    if mode == "mean":
        pieces = torch.bincount(words, minlength=word_count).clamp(min=1)
        return pooled.index_add(0, words, states) / _broadcastable(pieces, pooled)
    edge = torch.ones_like(inner[: len(words)])
    if mode == "first":
        edge[1:] = words[1:] != words[:-1]
    else:
        edge[:-1] = words[1:] != words[:-1]
    pooled[words[edge]] = states[edge]
    return pooled


def word_shares(words: Tensor, number: int, mode: WordPooling) -> Tensor:
    """Return each token's weight in its word's vector: `pool_words` is the sum of the states times these weights.

    Args:
        words: int64 [tokens], index of each token's word; -1 for none.
        number: number of words.
        mode: how a word's pieces become one state: `first` piece, `last` piece, or `mean`.

    Returns:
        float32 [tokens]; 0 for tokens of no word.
    """
    inner = words >= 0
    inner_words = words[inner].long()
    if mode == "mean":
        inner_shares = 1 / torch.bincount(inner_words, minlength=number).float()[inner_words]
    else:
        changes = inner_words[1:] != inner_words[:-1]
        edge = changes.new_ones(1)
        inner_shares = torch.cat((edge, changes) if mode == "first" else (changes, edge))[: len(inner_words)].float()
    shares = inner_shares.new_zeros(len(words))
    shares[inner] = inner_shares
    return shares


def token_weights(length: int, mode: SentencePooling) -> Tensor:
    """Return each token's weight in the pooled vector: `pool` is the sum of the states times these weights.

    Args:
        length: number of tokens, special ones included.
        mode: any pooling but `max`, which is not a weighted sum.

    Returns:
        float64 [length].
    """
    positions = torch.arange(1, length + 1, dtype=torch.float64)
    match mode:
        case "cls":
            return (positions == 1).double()
        case "lasttoken":
            return (positions == length).double()
        case "weightedmean":
            return positions / positions.sum()
        case "mean" | "mean_sqrt_len_tokens":
            return torch.full_like(positions, 1 / (length if mode == "mean" else length**0.5))
        case _:
            raise ValueError(f"no weights of tokens give the pooling {mode}")


class RunningPool:
    """The pooling of one sequence whose states arrive in parts, so that they are never all in memory.

    Each token must arrive once; the parts may come in any order.
    """

    def __init__(self, mode: SentencePooling, length: int) -> None:
        """Start pooling a sequence of `length` tokens."""
        self._mode, self._length = mode, length
        self._pooled: Tensor | None = None

    def add(self, states: Tensor, positions: Tensor) -> None:
        """Add the states of some tokens of the sequence to the running pool.

        Args:
            states: [tokens, ..., d].
            positions: int64 [tokens], the positions of the tokens in the sequence, from 0.
        """
        part = self._part(states.float(), positions)
        if part is None:
            return
        if self._pooled is None:
            self._pooled = part
        else:
            self._pooled = torch.maximum(self._pooled, part) if self._mode == "max" else self._pooled + part

    def _part(self, states: Tensor, positions: Tensor) -> Tensor | None:
        """Return the contribution of some tokens to the pooled vector; None if the mode does not use these tokens."""
        if self._mode in {"cls", "lasttoken"}:
            is_used = positions == (0 if self._mode == "cls" else self._length - 1)
            return states[is_used][0] if is_used.any() else None
        if self._mode == "max":
            return states.amax(0)
        weighted = states * _broadcastable(positions + 1, states) if self._mode == "weightedmean" else states
        return weighted.sum(0)

    def vector(self) -> Tensor:
        """Return the pooled vector, float32 [..., d]; every token must have been added."""
        assert self._pooled is not None  # noqa: S101 - no sequence is empty
        length = float(self._length)
        divisors = {"mean": length, "mean_sqrt_len_tokens": length**0.5, "weightedmean": length * (length + 1) / 2}
        vector: Tensor = self._pooled / divisors.get(self._mode, 1.0)
        return vector


@dataclass(frozen=True, slots=True)
class Dense:
    """A linear map with an activation after the pooling: weight [out, in], bias [out] or None."""

    weight: Tensor
    bias: Tensor | None
    activation: str

    def __call__(self, vectors: Tensor) -> Tensor:
        """Map vectors [n, in] to [n, out], on the device and in the dtype of the vectors."""
        bias = None if self.bias is None else self.bias.to(vectors)
        return DENSE_ACTIVATIONS[self.activation](functional.linear(vectors, self.weight.to(vectors), bias))

    @property
    def is_linear(self) -> bool:
        """Whether the map is the weight alone, without a bias or an activation."""
        return self.bias is None and self.activation == _IDENTITY

    @property
    def fingerprint(self) -> str:
        """Key of everything that determines the output of this map."""
        arrays = (part.float().numpy(force=True).tobytes() for part in (self.weight, self.bias) if part is not None)
        return content_key(self.activation, *arrays)


@dataclass(frozen=True, slots=True)
class Normalize:
    """Scale each vector to length 1."""

    def __call__(self, vectors: Tensor) -> Tensor:
        """Map vectors [n, d] to vectors of length 1, of the same shape; a zero vector stays zero."""
        return functional.normalize(vectors, dim=-1)

    @property
    def fingerprint(self) -> str:
        """Key that identifies the step of scaling to length 1, which has no parameters."""
        return "normalize"


DENSE_ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    _IDENTITY: lambda x: x,
    "torch.nn.modules.activation.Tanh": torch.tanh,
    "torch.nn.modules.activation.ReLU": functional.relu,
    "torch.nn.modules.activation.GELU": functional.gelu,
    "torch.nn.modules.activation.Sigmoid": torch.sigmoid,
}


@dataclass(frozen=True, slots=True)
class SentenceHead:
    """Map from the token states of a sequence to a sentence vector.

    Attributes:
        modes: names of the poolings whose results are concatenated.
        steps: maps applied after the pooling, in order.
        layers: numbers of the layers whose states are concatenated for each token; empty for the last layer alone.
    """

    modes: tuple[SentencePooling, ...] = ("mean",)
    steps: tuple[Dense | Normalize, ...] = ()
    layers: tuple[int, ...] = ()

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        """Pool states [tokens, d] to sentence vectors [sequences, width of the head].

        The vectors are float64 for float64 states, else float32.
        """
        return self._stepped(torch.cat([pool(states, starts, mode) for mode in self.modes], dim=-1))

    def without(self, states: Tensor, groups: Tensor, group_count: int) -> Tensor:
        """Pool one sequence once for each group of its tokens, without the tokens of the group.

        The tokens that remain are pooled as if they were the whole sequence.

        Args:
            states: [tokens, d] of one sequence.
            groups: int64 [tokens], the index of each token's group.
            group_count: number of groups.

        Returns:
            float64 [group_count, width of the head]; row g is NaN if every token belongs to group g.
        """
        states, counts = states.double(), torch.bincount(groups, minlength=group_count)
        if set(self.modes) == {"mean"}:
            rest = states.sum(0) - _group_sums(states, groups, group_count)
            means = rest / torch.where(counts < len(states), len(states) - counts, torch.nan)[:, None]
            return self._stepped(means.repeat(1, len(self.modes)))
        return self._pooled_without(states, groups, group_count)

    def _pooled_without(self, states: Tensor, groups: Tensor, group_count: int) -> Tensor:
        """Do what `without` does for any pooling, by pooling the rest of the sequence for each group."""
        rests = [states[groups != group] for group in range(group_count)]
        empty = states.new_full((1, self.width(states.shape[-1])), torch.nan)
        return torch.cat([self(rest, torch.tensor([0, len(rest)])) if len(rest) else empty for rest in rests])

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:
        """Pool the token states of one sequence, passed in parts, to one vector, [1, width of the head].

        Args:
            parts: for each part the states of some tokens, [tokens, d], and the positions of these tokens, int64
                [tokens].
            length: number of tokens of the sequence.
        """
        running = [RunningPool(mode, length) for mode in self.modes]
        for states, positions in parts:
            for pooling in running:
                pooling.add(states, positions)
        return self._stepped(torch.cat([pooling.vector() for pooling in running], dim=-1)[None])

    def _stepped(self, vectors: Tensor) -> Tensor:
        for step in self.steps:
            vectors = step(vectors)
        return vectors

    @property
    def is_additive(self) -> bool:
        """Whether a sentence vector, before it is scaled to length 1, is a sum of one vector for each token."""
        return all(step.is_linear for step in self.steps if isinstance(step, Dense))

    def token_parts(self, states: Tensor) -> Tensor:
        """Return one vector per token; together they add up to the sentence vector before it is scaled to length 1.

        Under max pooling, each component of the pooled vector is assigned to one token alone: the first of the tokens
        with the largest value in that component.

        Args:
            states: [tokens, d] of one sequence, special tokens included.

        Returns:
            float64 [tokens, width of the head].

        Raises:
            ValueError: a dense layer has a bias or an activation.
        """
        if not self.is_additive:
            raise ValueError("the sentence vector is no sum over tokens")
        parts = torch.cat([_token_parts(states.double(), mode) for mode in self.modes], dim=-1)
        for step in self.steps:
            if isinstance(step, Dense):
                parts = parts @ step.weight.to(parts).T
        return parts

    @property
    def fingerprint(self) -> str:
        """Key of everything that determines the output of this head."""
        layers = (self.layers,) if self.layers else ()
        return content_key(self.modes, *layers, *(step.fingerprint for step in self.steps))

    def width(self, hidden_size: int) -> int:
        """Return the width of a sentence vector, for states of a layer of width `hidden_size`."""
        for step in reversed(self.steps):
            if isinstance(step, Dense):
                return len(step.weight)
        return hidden_size * max(1, len(self.layers)) * len(self.modes)


def _group_sums(states: Tensor, groups: Tensor, group_count: int) -> Tensor:
    return states.new_zeros(group_count, states.shape[-1]).index_add(0, groups, states)


def _token_parts(states: Tensor, mode: SentencePooling) -> Tensor:
    if mode == "max":
        largest = states.argmax(0, keepdim=True)
        return torch.zeros_like(states).scatter(0, largest, states.gather(0, largest))
    return states * token_weights(len(states), mode)[:, None]


def _lengths(starts: Tensor) -> Tensor:
    return starts[1:] - starts[:-1]


def _broadcastable(numbers: Tensor, values: Tensor) -> Tensor:
    """Reshape [n] to broadcast against [n, ..., d]."""
    return numbers.to(values.dtype).view(-1, *[1] * (values.dim() - 1))


def _sum(states: Tensor, starts: Tensor) -> Tensor:
    sequences = torch.arange(len(starts) - 1, device=starts.device)
    # `output_size` spares waiting for a GPU
    owner = sequences.repeat_interleave(_lengths(starts), output_size=len(states))
    return states.new_zeros(len(starts) - 1, *states.shape[1:]).index_add(0, owner, states)


def _mean(states: Tensor, starts: Tensor) -> Tensor:
    total = _sum(states, starts)
    return total / _broadcastable(_lengths(starts), total)


def _mean_sqrt(states: Tensor, starts: Tensor) -> Tensor:
    total = _sum(states, starts)
    return total / _broadcastable(_lengths(starts).sqrt(), total)


def _weighted_mean(states: Tensor, starts: Tensor) -> Tensor:
    lengths = _lengths(starts)
    positions = torch.arange(1, len(states) + 1, device=starts.device) - starts[:-1].repeat_interleave(
        lengths, output_size=len(states)
    )
    total = _sum(states * _broadcastable(positions, states), starts)
    return total / _broadcastable(lengths * (lengths + 1) / 2, total)


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
