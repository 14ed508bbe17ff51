"""Log-likelihood of texts under a language model, and pseudo-log-likelihood under a masked one.

A masked model gives no probability to a whole text. For its pseudo-log-likelihood each piece is masked in turn, and the
log-probabilities of the masked pieces are summed (Salazar et al. 2020, arXiv 1910.14659, equation 1). A causal model
gives the plain log-likelihood. A bidirectional model (ELMo's two causal directions) gives the mean over the directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.language_model import LanguageModel
from wordworth.progress import SILENT, Progress
from wordworth.text.tokens import Tokens, joined_features

Numbers = NDArray[np.int64]
Hidden = Literal["piece", "rest_of_word"]
"""What is masked while a masked model predicts a piece: `piece` is that piece only, `rest_of_word` also the following
pieces of its word, which would give it away (Kauf and Ivanova 2023, arXiv 2305.10588, PLL-word-l2r)."""

Scored = Callable[[int, Tokens], NDArray[np.bool_]]
"""A function from the index of a text and its tokens to a mask of the tokens to score, bool [tokens]."""

_AT_ONCE, _AT_ONCE_ON_GPU = 2048, 65_536


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """Log-likelihoods (under a masked model: pseudo-log-likelihoods) of n texts.

    Attributes:
        logs: sum of the natural log-probabilities of each text's pieces, float64 [n].
        pieces: number of pieces scored in each text, int64 [n]; special tokens are not scored.
    """

    logs: NDArray[np.float64]
    pieces: Numbers


@dataclass(frozen=True, slots=True)
class PieceLikelihoods:
    """Log-probabilities of the t tokens of one text.

    Attributes:
        tokens: the tokens of the text, special tokens included.
        logs: natural log-probability of each token, float64 [t], the mean over both directions of a bidirectional
            model; NaN for special tokens and for tokens that were not scored.
    """

    tokens: Tokens
    logs: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Copies:
    """Copies of texts for the model to read: under a masked model one for each piece to mask, else one per text.

    Attributes:
        tokens: the tokens of every text.
        texts: index of the text of each copy, int64 [k]; longer texts first.
        positions: index, in its text, of the token that is masked in each copy, int64 [k].
    """

    tokens: Sequence[Tokens]
    texts: Numbers
    positions: Numbers

    def __len__(self) -> int:
        return len(self.texts)

    def groups(self, at_once: int) -> Iterator[_Copies]:
        """Yield the copies in groups of about `at_once` tokens."""
        if not len(self):
            return
        ends = np.cumsum([len(self.tokens[text]) for text in self.texts])
        cuts = np.flatnonzero(np.diff(ends // max(1, at_once))) + 1
        for part in np.split(np.arange(len(self)), cuts):
            yield _Copies(self.tokens, self.texts[part], self.positions[part])

    def packed(self) -> Tokens:
        """Return the tokens of all copies, concatenated."""
        copies = [self.tokens[text] for text in self.texts]
        parts = ([getattr(tokens, part) for tokens in copies] for part in ("ids", "segments", "offsets", "words"))
        return Tokens(*map(np.concatenate, parts), features=joined_features(copies))

    @property
    def starts(self) -> Numbers:
        """Index of each copy's first token in `packed`, followed by the number of all tokens, int64 [k + 1]."""
        return np.cumsum([0, *(len(self.tokens[text]) for text in self.texts)])


@dataclass(frozen=True, slots=True)
class _Question:
    """Pieces to score in a batch.

    Attributes:
        positions: int64 [m], index in the batch of the token whose state predicts the piece.
        labels: int64 [m], id of the piece in the vocabulary.
        texts: int64 [m], index of the text that the piece is from.
        tokens: int64 [m], index of the piece among the tokens of its text.
        half: which half of a bidirectional model's state predicts the piece: 0 (left to right) or 1; None for the whole
            state.
    """

    positions: Numbers
    labels: Numbers
    texts: Numbers
    tokens: Numbers
    half: int | None = None


def log_likelihoods(
    model: LanguageModel,
    texts: Sequence[str],
    *,
    hidden: Hidden = "piece",
    at_once: int | None = None,
    progress: Progress = SILENT,
) -> Likelihoods:
    """Return the log-likelihood of each text; under a masked model, the pseudo-log-likelihood.

    Args:
        model: the language model and its tokenizer.
        texts: the texts, none longer than the model reads at once.
        hidden: what a masked model does not see: `piece` masks the scored piece alone, `rest_of_word` also the pieces
            after it in its word.
        at_once: approximate number of tokens per batch; None takes a size that suits a CPU's cache or a GPU.
        progress: advances by one per text or, under a masked model, per scored piece.

    Raises:
        BadInput: a text is too long, or a masked model has no mask token.
    """
    read = piece_log_likelihoods(model, texts, hidden=hidden, at_once=at_once, progress=progress)
    scored = [each.logs[~np.isnan(each.logs)] for each in read]
    return Likelihoods(np.array([logs.sum() for logs in scored]), np.array([len(logs) for logs in scored], np.int64))


def piece_log_likelihoods(  # noqa: PLR0913 - what is read, and how it is shown
    model: LanguageModel,
    texts: Sequence[str],
    *,
    hidden: Hidden = "piece",
    scored: Scored | None = None,
    at_once: int | None = None,
    progress: Progress = SILENT,
    title: str = "",
) -> list[PieceLikelihoods]:
    """Return the log-probability of each piece of each text, which `log_likelihoods` sums.

    Args:
        model: the language model and its tokenizer.
        texts: the texts, none longer than the model reads at once.
        hidden: what a masked model does not see: `piece` masks the scored piece alone, `rest_of_word` also the pieces
            after it in its word.
        scored: returns which tokens of a text to score; a masked model does no work for the others. None scores every
            piece.
        at_once: approximate number of tokens per batch; None takes a size that suits a CPU's cache or a GPU.
        progress: advances by one per text or, under a masked model, per scored piece.
        title: title of the step that `progress` shows; empty for a title with the model's name.

    Raises:
        BadInput: a text is too long, or a masked model has no mask token.
    """
    tokens, prefix = _read(model, list(texts))
    wanted = [_wanted(number, each, scored) for number, each in enumerate(tokens)]
    size = at_once or (_AT_ONCE if model.encoder.device.type == "cpu" else _AT_ONCE_ON_GPU)
    copies = _copies(tokens, wanted, model, prefix)
    starts = np.cumsum([0, *map(len, tokens)])
    logs, has_answer = np.zeros(starts[-1]), np.zeros(starts[-1], bool)
    with progress.step(title or f"reading with {model.name}", len(copies)) as step, torch.inference_mode():
        for group in copies.groups(size):
            batch, questions = (
                _masked(model, group, hidden) if model.reads == "masked" else _unmasked(model, group, prefix)
            )
            states = model.encoder(batch.to(model.encoder.device))
            for question in questions:
                pieces = starts[question.texts] + question.tokens
                logs[pieces] += _piece_log_probabilities(model, states, question)
                has_answer[pieces] = True
            step.advance(len(group))
    has_answer &= np.concatenate([*wanted, np.zeros(0, bool)])
    ways = 2 if model.reads == "bidirectional" else 1
    means = np.where(has_answer, logs / ways, np.nan)
    return [
        PieceLikelihoods(each, means[start:end]) for each, (start, end) in zip(tokens, pairwise(starts), strict=True)
    ]


def _wanted(number: int, tokens: Tokens, scored: Scored | None) -> NDArray[np.bool_]:
    return np.ones(len(tokens), bool) if scored is None else scored(number, tokens)


def _read(model: LanguageModel, texts: list[str]) -> tuple[list[Tokens], int]:
    """Tokenize texts; return their tokens, and the number of special tokens before each text.

    If the model is not a masked one, and its tokenizer puts no special token before a text (as in GPT-2), a bos token
    is added there, from which the text's first token is predicted.
    """
    tokenizer = model.tokenizer
    tokens, prefix = tokenizer.encode(texts), tokenizer.prefix
    if model.reads != "masked" and not prefix and "bos" in tokenizer.special_ids:
        tokens, prefix = [_with_bos(text_tokens, tokenizer.special_ids["bos"]) for text_tokens in tokens], 1
    limit = model.encoder.config.max_length
    for text, text_tokens in zip(texts, tokens, strict=True):
        if len(text_tokens) > limit:
            message = f"a text has {len(text_tokens)} tokens, {model.name} reads at most {limit}: {text[:60]!r}"
            raise BadInput(message, mend="divide it into sentences")
    return tokens, prefix


def _with_bos(tokens: Tokens, bos: int) -> Tokens:
    """Return a copy of the tokens with the id `bos` before them."""
    front = np.array([[0, 0]], dtype=np.int32)
    return Tokens(
        np.append(bos, tokens.ids),
        np.append(0, tokens.segments),
        np.concatenate([front, tokens.offsets]),
        np.append(np.int32(-1), tokens.words),
        features={
            name: np.concatenate([np.zeros_like(values[:1]), values]) for name, values in tokens.features.items()
        },
    )


def _copies(tokens: list[Tokens], wanted: list[NDArray[np.bool_]], model: LanguageModel, prefix: int) -> _Copies:
    """Return one copy for every wanted piece of every text; under a model that is not masked, one per text.

    Args:
        tokens: the tokens of each text.
        wanted: for each text bool [tokens], the pieces to score.
        model: the language model.
        prefix: number of special tokens before each text.
    """
    longest_first = sorted(range(len(tokens)), key=lambda text: len(tokens[text]), reverse=True)
    if model.reads != "masked":
        return _Copies(tokens, np.array(longest_first, dtype=np.int64), np.zeros(len(tokens), dtype=np.int64))
    ends = [len(tokens[text]) - model.tokenizer.suffix for text in longest_first]
    inner = [prefix + np.flatnonzero(wanted[text][prefix:end]) for text, end in zip(longest_first, ends, strict=True)]
    texts = np.repeat(np.array(longest_first, dtype=np.int64), [len(positions) for positions in inner])
    return _Copies(tokens, texts, np.concatenate([np.zeros(0, dtype=np.int64), *inner]))


def _masked(model: LanguageModel, copies: _Copies, hidden: Hidden) -> tuple[Batch, list[_Question]]:
    """Return a batch of copies, each with its piece masked, and the question for these pieces."""
    mask = model.tokenizer.special_ids.get("mask")
    if mask is None:
        raise BadInput(f"{model.name} has no mask token", mend="use a model that was pretrained with masks")
    packed, starts = copies.packed(), copies.starts
    positions = starts[:-1] + copies.positions
    labels = packed.ids[positions]
    packed.ids[positions] = mask
    if hidden == "rest_of_word":
        owner = np.repeat(np.arange(len(copies)), np.diff(starts))
        same = (packed.words == packed.words[positions][owner]) & (packed.words >= 0)
        packed.ids[same & (np.arange(len(owner)) > positions[owner])] = mask
    return _batch(packed, starts), [_Question(positions, labels, copies.texts, copies.positions)]


def _unmasked(model: LanguageModel, copies: _Copies, prefix: int) -> tuple[Batch, list[_Question]]:
    """Return a batch of whole texts, and a question for each direction in which the model predicts their pieces.

    Each piece is predicted from the state of the token before it and, if the model is bidirectional, also from the
    state of the token after it.
    """
    packed, starts = copies.packed(), copies.starts
    owner = np.repeat(np.arange(len(copies)), np.diff(starts))
    position = np.arange(len(owner)) - starts[owner]
    tokens_after = np.diff(starts)[owner] - 1 - position
    inner = (position >= prefix) & (tokens_after >= model.tokenizer.suffix)
    scored = np.flatnonzero(inner & (position > 0))
    both = model.reads == "bidirectional"
    half = 0 if both else None
    questions = [_Question(scored - 1, packed.ids[scored], copies.texts[owner[scored]], position[scored], half)]
    if both:
        scored = np.flatnonzero(inner & (tokens_after > 0))
        questions.append(_Question(scored + 1, packed.ids[scored], copies.texts[owner[scored]], position[scored], 1))
    return _batch(packed, starts), questions


def _batch(packed: Tokens, starts: Numbers) -> Batch:
    bounds = torch.from_numpy(starts.astype(np.int32))
    features = {name: torch.from_numpy(values) for name, values in packed.features.items()}
    return Batch(torch.from_numpy(packed.ids), torch.from_numpy(packed.segments), bounds, features=features)


def _piece_log_probabilities(model: LanguageModel, states: Tensor, question: _Question) -> NDArray[np.float64]:
    """Return the log-probability of each piece of a question, float64 [m]."""
    predicting = states[torch.from_numpy(question.positions).to(states.device)]
    if question.half is not None:
        predicting = predicting.chunk(2, dim=-1)[question.half]
    labels = torch.from_numpy(question.labels).to(states.device)
    logs = model.log_probabilities(predicting).gather(1, labels[:, None])[:, 0]
    answers: NDArray[np.float64] = logs.double().numpy(force=True)
    return answers
