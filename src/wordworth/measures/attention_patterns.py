"""Five patterns of attention maps (Kovaleva et al. 2019, arXiv 1908.08593, section 4.2): rules, and synthetic maps.

    vertical            to special tokens
    diagonal            to the token itself and its neighbours
    vertical+diagonal   to both
    block               within one of two texts
    heterogeneous       everything else

Kovaleva et al. annotated maps by eye; the rules here apply their definitions literally. A rule measures the share of
attention that goes to special tokens, to neighbours, or to words of the same text, and by how much this share exceeds
the share under uniform attention. Without the comparison with uniform attention, short texts, in which every token is a
neighbour, would be diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats

PATTERNS = ("vertical", "diagonal", "vertical+diagonal", "block", "heterogeneous")
LEAST_TOKENS = 8
"""Minimal number of tokens; in shorter texts the patterns cannot be told apart."""
_MOST_NOISE = 0.2
"""Largest share of the attention of a synthetic map that is distributed at random."""
_ALONE, _EACH, _BLOCK = 0.5, 0.15, 0.6
"""Minimal share of attention for a single pattern, for each of two combined patterns, and for a block within a text."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The facts about tokens by which an attention map is classified: special tokens, texts, direction of attention.

    Attributes:
        special: bool [tokens], whether a token is special; in models without special tokens, the first token counts as
            one.
        second: index of the first token of the second text; None for one text.
        causal: whether a token attends only to itself and the tokens before it.
    """

    special: Flags
    second: int | None = None
    causal: bool = False

    @property
    def uniform(self) -> Floats:
        """The attention map of a head with uniform attention, float64 [tokens, tokens].

        Each token attends equally to all tokens; in a causal model, to itself and the tokens before it.
        """
        visible = np.ones((len(self.special), len(self.special)))
        visible = np.tril(visible) if self.causal else visible
        return floats(visible / visible.sum(1, keepdims=True))

    @property
    def same_text(self) -> Flags:
        """Whether two tokens are of the same text, bool [tokens, tokens]."""
        tokens = len(self.special)
        text = np.arange(tokens) >= (tokens if self.second is None else self.second)
        return np.equal.outer(text, text)


def pattern_of(weights: Floats, layout: Layout) -> Integers:
    """Classify each map by fixed rules; return the indices of the patterns in `PATTERNS`, int64 [...].

    Args:
        weights: [..., tokens, tokens], a row for each token that attends; rows sum to 1.
        layout: the special tokens and texts of the map.
    """
    vertical, diagonal, within = (
        (share - usual) / np.maximum(1 - usual, 1e-9)
        for share, usual in zip(_shares(weights, layout), _shares(layout.uniform, layout), strict=True)
    )
    both = (np.minimum(vertical, diagonal) >= _EACH) & (vertical + diagonal >= _ALONE)
    block = (within >= _BLOCK) & (layout.second is not None)
    fits = [vertical >= _ALONE, diagonal >= _ALONE, both, block, np.ones_like(both)]
    order = [2, 0, 1, 3, 4]
    first: Integers = np.argmax(np.stack([fits[kind] for kind in order]), axis=0)
    return np.array(order)[first]


def _shares(weights: Floats, layout: Layout) -> tuple[Floats, Floats, Floats]:
    """Return three shares of the attention of all tokens that are not special, each float64 [...].

    The shares are: of all attention, the part that goes to special tokens; of all attention, the part that goes to the
    token itself and its neighbours, unless they are special; and of the attention to tokens that are not special, the
    part within the same text.
    """
    rows, tokens = ~layout.special, len(layout.special)
    near = np.abs(np.subtract.outer(np.arange(tokens), np.arange(tokens))) <= 1
    chosen = weights[..., rows, :].astype(np.float64)
    words = chosen * rows
    total = np.maximum(words.sum((-2, -1)), 1e-9)
    number = max(int(rows.sum()), 1)
    return (
        floats(chosen[..., layout.special].sum((-2, -1)) / number),
        floats((words * near[rows]).sum((-2, -1)) / number),
        floats((words * layout.same_text[rows]).sum((-2, -1)) / total),
    )


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticMap:
    """An attention map made to show a known pattern: the map, its layout and the index of the pattern in `PATTERNS`.

    The map is float64 [tokens, tokens].
    """

    weights: Floats
    layout: Layout
    pattern: int


def synthetic_map(rng: np.random.Generator, pattern: int) -> SyntheticMap:
    """Draw a synthetic attention map that shows one of the five patterns.

    Args:
        rng: source of randomness.
        pattern: index in `PATTERNS`.
    """
    tokens = int(rng.integers(16, 65))
    is_pair = pattern == PATTERNS.index("block") or bool(rng.integers(2))
    second = int(rng.integers(tokens // 3, 2 * tokens // 3)) if is_pair else None
    special = np.zeros(tokens, dtype=bool)
    special[[0, -1]] = True
    if second is not None:
        special[second - 1] = True
    layout = Layout(special, second)
    share = _MOST_NOISE * rng.random()
    pure = _DRAW[PATTERNS[pattern]](rng, layout)
    return SyntheticMap((1 - share) * pure + share * _random_rows(rng, tokens, 1.0), layout, pattern)


def mixture(rng: np.random.Generator, first: int, second: int, share: float) -> SyntheticMap:
    """Draw a synthetic attention map that mixes two patterns on the same tokens; its `pattern` is the first of them.

    Args:
        rng: source of randomness.
        first: index in `PATTERNS`.
        second: index of another pattern.
        share: weight of the second pattern, 0 to 1.
    """
    block = PATTERNS.index("block")
    made = synthetic_map(rng, block if block in (first, second) else first)
    parts = [_DRAW[PATTERNS[kind]](rng, made.layout) for kind in (first, second)]
    return SyntheticMap((1 - share) * parts[0] + share * parts[1], made.layout, first)


def _random_rows(rng: np.random.Generator, tokens: int, evenness: float) -> Floats:
    """Draw a map, float64 [tokens, tokens], whose rows have a symmetric Dirichlet distribution of this `evenness`."""
    return rng.dirichlet(np.full(tokens, evenness), size=tokens)


def _vertical(rng: np.random.Generator, layout: Layout) -> Floats:
    columns = np.flatnonzero(layout.special)
    weights = np.zeros((len(layout.special), len(layout.special)))
    weights[:, columns] = rng.dirichlet(np.ones(len(columns)))
    return weights


def _diagonal(rng: np.random.Generator, layout: Layout) -> Floats:
    tokens = len(layout.special)
    of_offset = rng.dirichlet(np.ones(3))
    weights = np.zeros((tokens, tokens))
    for offset, share in zip((-1, 0, 1), of_offset, strict=True):
        positions = np.clip(np.arange(tokens) + offset, 0, tokens - 1)
        weights[np.arange(tokens), positions] += share
    return weights


def _both(rng: np.random.Generator, layout: Layout) -> Floats:
    share = rng.uniform(0.4, 0.6)
    return floats(share * _vertical(rng, layout) + (1 - share) * _diagonal(rng, layout))


def _block(rng: np.random.Generator, layout: Layout) -> Floats:
    weights = _random_rows(rng, len(layout.special), 5.0) * layout.same_text
    return floats(weights / weights.sum(1, keepdims=True))


def _heterogeneous(rng: np.random.Generator, layout: Layout) -> Floats:
    return _random_rows(rng, len(layout.special), float(rng.uniform(0.2, 2.0)))


_DRAW: Mapping[str, Callable[[np.random.Generator, Layout], Floats]] = {
    "vertical": _vertical,
    "diagonal": _diagonal,
    "vertical+diagonal": _both,
    "block": _block,
    "heterogeneous": _heterogeneous,
}
