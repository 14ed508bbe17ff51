"""Compare several models on the same texts by their hidden states, attention maps and the patterns of these maps.

Texts are encoded one after another, so that no more than one text's attention maps are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.measures.attention_patterns import LEAST_TOKENS, PATTERNS, Layout, pattern_of
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import TextActivations, activations
from wordworth.models.encoder_base import Encoder
from wordworth.progress import Step
from wordworth.studies.finetuning_changes.attention_pattern_classifier import PatternNetwork
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens

Vectors = NDArray[np.float32]
START, RUN, SECOND, RANDOM = "start", "run", "second seed", "random weights"
TUNED, SEED, UNRELATED = (START, RUN), (RUN, SECOND), (START, RANDOM)
"""The pairs of models that are compared: before and after fine-tuning, two seeds, and two unrelated encoders."""
_MARKS = ("##", "\u0120", "\u2581")
MOST_WORDS = 2_000
"""Most words whose states are compared in all layers."""
_BATCH_TOKENS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Hidden states and attention patterns of several models on the same texts.

    Attributes:
        states: name of a model -> float32 [layers + 1, drawn words, width], states of word occurrences drawn at random,
            input layer first.
        drawn: int64 [drawn words], index of the text of each drawn word occurrence.
        last: name of a model -> float32 [words, width], the last layer's states of all word occurrences of all texts.
        words: all word occurrences, as the tokenizer writes them.
        text: int64 [words], index of the text of each word occurrence.
        cosines: names of two models -> float64 [texts, layers * heads], for each head the cosine of the two models'
            attention maps.
        patterns: name of a model -> int64 [texts, layers * heads], the pattern of each attention map as recognised by
            fixed rules (`pattern_of`), an index into `PATTERNS`; -1 for texts that are too short.
        by_network: the same as `patterns`, but as recognised by the pattern network.
    """

    states: Mapping[str, Vectors]
    drawn: Integers
    last: Mapping[str, Vectors]
    words: tuple[str, ...]
    text: Integers
    cosines: Mapping[tuple[str, str], Floats]
    patterns: Mapping[str, Integers]
    by_network: Mapping[str, Integers]

    @property
    def heads(self) -> int:
        """The number of attention heads in each layer of the models."""
        layers = len(self.states[RUN]) - 1
        return int(self.cosines[TUNED].shape[1]) // layers

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of models that were compared, by their names."""
        return list(self.cosines)


def compare(  # noqa: PLR0913 - what is read, and how
    models: Mapping[str, Encoder],
    texts: Sequence[Tokens],
    tokenizer: TokenizerProtocol,
    network: PatternNetwork,
    step: Step,
    *,
    words_a_text: int,
    seed: int,
) -> Compared:
    """Compute states and attention of every model for each text, and compare them.

    Args:
        models: name -> encoder, all with the same tokenizer.
        texts: the tokens of each text.
        tokenizer: tokenizer of the models.
        network: classifier of the patterns of maps.
        step: progress step, advanced after each text.
        words_a_text: the largest number of words drawn from a text; states of all layers are kept for drawn words only.
        seed: seed of the draw of words.
    """
    rng = np.random.default_rng(seed)
    pairs = [pair for pair in (TUNED, SEED, UNRELATED) if set(pair) <= set(models)]
    parts: dict[str, list[Vectors]] = {name: [] for name in models}
    lasts: dict[str, list[Vectors]] = {name: [] for name in models}
    by_kind = {kind: {name: list[Integers]() for name in models} for kind in ("rules", "network")}
    cosines: dict[tuple[str, str], list[Floats]] = {pair: [] for pair in pairs}
    drawn, of_word, forms = list[int](), list[int](), list[str]()
    for number, (tokens, read) in enumerate(zip(texts, _together(models, texts), strict=True)):
        groups, written = word_groups(tokens, tokenizer)
        chosen = np.sort(rng.permutation(len(written))[:words_a_text])
        drawn += [number] * len(chosen)
        of_word += [number] * len(written)
        forms += written
        layout = layout_of(tokens, causal=bool(getattr(models[RUN].config, "causal", False)))
        maps = {name: np.concatenate(by_layer(each.values, ATTENTION)) for name, each in read.items()}
        for name, each in read.items():
            states = _word_states(each, groups, len(written))
            parts[name].append(states[:, chosen])
            lasts[name].append(states[-1])
            by_kind["rules"][name].append(_patterns(maps[name], layout))
            by_kind["network"][name].append(_by_network(maps[name], network))
        for first, second in pairs:
            cosines[first, second].append(map_cosines(maps[first], maps[second]))
        step.advance(1)
    return Compared(
        {name: np.concatenate(each, axis=1) for name, each in parts.items()},
        np.array(drawn, dtype=np.int64),
        {name: np.concatenate(each) for name, each in lasts.items()},
        tuple(forms),
        np.array(of_word, dtype=np.int64),
        {pair: np.stack(each) for pair, each in cosines.items()},
        *({name: np.stack(each) for name, each in by_kind[kind].items()} for kind in ("rules", "network")),
    )


def map_cosines(first: Vectors, second: Vectors) -> Floats:
    """Return for each head the cosine of two models' attention maps, flattened, float64 [heads].

    Args:
        first: float32 [heads, tokens, tokens], without padding.
        second: float32 [heads, tokens, tokens], of the same text.
    """
    return row_cosines(*(floats(each).reshape(len(each), -1) for each in (first, second)))


def row_cosines(x: Floats, y: Floats) -> Floats:
    """Return the cosine of each row of `x` with the same row of `y`, float64 [n]; 0 if either row is all zeros.

    Args:
        x: float64 [n, width].
        y: float64 [n, width].
    """
    norms = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    return floats((x * y).sum(1) / np.maximum(norms, 1e-12))


def word_groups(tokens: Tokens, tokenizer: TokenizerProtocol) -> tuple[Integers, list[str]]:
    """Return the index of the word that each token belongs to, and the words themselves.

    Args:
        tokens: tokens of a text or a pair of texts; word indices run on from the first text to the second.
        tokenizer: tokenizer that turns ids into pieces.

    Returns:
        The indices into the words, int64 [tokens], -1 for special tokens; and the words, each as its pieces joined.
    """
    starts = np.diff(tokens.words, prepend=-1) != 0
    inside = tokens.words >= 0
    groups = np.where(inside, (starts & inside).cumsum() - 1, -1)
    forms = [""] * (int(groups.max(initial=-1)) + 1)
    for piece, group in zip(tokenizer.tokens(tokens.ids), groups.tolist(), strict=True):
        if group >= 0:
            forms[group] += _bare(piece)
    return groups, forms


def layout_of(tokens: Tokens, *, causal: bool) -> Layout:
    """Return the layout of a text's tokens, which the rules that recognise attention patterns need.

    Args:
        tokens: tokens of a text or a pair of texts.
        causal: whether a token attends only to itself and the tokens before it.

    Returns:
        The layout: which tokens are special (the first token always is), where the second text begins, and `causal`.
    """
    special = tokens.words < 0
    words = np.flatnonzero(~special)
    gaps = np.flatnonzero(np.diff(words) > 1)
    second = int(words[gaps[0] + 1]) if len(gaps) else None
    special[:1] = True
    return Layout(special, second, causal)


def _together(models: Mapping[str, Encoder], texts: Sequence[Tokens]) -> Iterator[dict[str, TextActivations]]:
    outputs = (f"layers.{layer}.output" for layer in range(models[RUN].depth))
    taps = Taps(read=(ATTENTION, "embedding", *outputs))
    readers = [activations(model, texts, taps, batch_tokens=_BATCH_TOKENS) for model in models.values()]
    for read in zip(*readers, strict=True):
        yield dict(zip(models, read, strict=True))


def _word_states(read: TextActivations, groups: Integers, number: int) -> Vectors:
    """Return the mean state of each word's pieces in every layer, float32 [layers + 1, words, width].

    Args:
        read: the states of a text's tokens.
        groups: int64 [tokens], index of each token's word; -1 for special tokens.
        number: number of words.
    """
    layers = [read.values["embedding"], *by_layer(read.values, "layers.*.output")]
    inside = groups >= 0
    mean = np.zeros((number, len(groups)), np.float32)
    mean[groups[inside], np.flatnonzero(inside)] = 1
    mean /= np.maximum(mean.sum(1, keepdims=True), 1)
    return np.stack([mean @ layer for layer in layers])


def _patterns(weights: Vectors, layout: Layout) -> Integers:
    if len(layout.special) < LEAST_TOKENS:
        return np.full(len(weights), -1)
    return pattern_of(weights, layout)  # type: ignore[arg-type]  # of any float


def _by_network(weights: Vectors, network: PatternNetwork) -> Integers:
    if weights.shape[-1] < LEAST_TOKENS:
        return np.full(len(weights), -1)
    return network.patterns(torch.from_numpy(weights))


def _bare(piece: str) -> str:
    for mark in _MARKS:
        piece = piece.removeprefix(mark)
    return piece


def shares(patterns: Integers) -> Floats:
    """Return for each text the share of its attention maps that have each pattern, float64 [texts, 5].

    The shares are NaN for a text that is too short.

    Args:
        patterns: int64 [texts, maps], indices into `PATTERNS`; -1 throughout for a text that is too short.
    """
    counted = [(patterns == kind).mean(1) for kind in range(len(PATTERNS))]
    return np.where((patterns[:, :1] < 0), np.nan, floats(counted).T)
