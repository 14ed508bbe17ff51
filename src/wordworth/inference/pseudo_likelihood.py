"""How likely a language model finds texts.

A masked model gives no probability to a whole text. Its pseudo-log-likelihood masks each piece in turn and adds up what
the model says of it (Salazar et al. 2020, arXiv 1910.14659, equation 1). A model that reads from left to right gives
the plain log-likelihood, one that reads both ways apart the mean of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.language_model import LanguageModel
from wordworth.progress import SILENT, Progress
from wordworth.text.encoding import Tokens

Numbers = NDArray[np.int64]
Hidden = Literal["piece", "rest_of_word"]
"""What a masked model may not see while it is asked for a piece: that piece, or also those that end its word, which
would give it away (Kauf and Ivanova 2023, arXiv 2305.10588, PLL-word-l2r)."""

_AT_ONCE, _AT_ONCE_ON_GPU = 2048, 65_536


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """What a model says of n texts.

    Attributes:
        logs: float64 [n], natural logarithms, summed over a text's pieces.
        pieces: int64 [n], how many it was asked for; special tokens are not.
    """

    logs: NDArray[np.float64]
    pieces: Numbers


@dataclass(frozen=True, slots=True)
class _Copies:
    """Texts as they are read, one copy for each piece that is masked, or one alone.

    Attributes:
        tokens: of every text.
        texts: int64 [k], the text of each copy; longer texts first.
        places: int64 [k], the token that is masked in it.
    """

    tokens: Sequence[Tokens]
    texts: Numbers
    places: Numbers

    def __len__(self) -> int:
        return len(self.texts)

    def groups(self, at_once: int) -> Iterator[_Copies]:
        """Runs of copies of about so many tokens."""
        ends = np.cumsum([len(self.tokens[text]) for text in self.texts])
        cuts = np.flatnonzero(np.diff(ends // max(1, at_once))) + 1
        for part in np.split(np.arange(len(self)), cuts):
            yield _Copies(self.tokens, self.texts[part], self.places[part])

    def packed(self) -> Tokens:
        """All copies end to end."""
        read = [self.tokens[text] for text in self.texts]
        return Tokens(
            *(
                np.concatenate([getattr(each, part) for each in read])
                for part in ("ids", "segments", "offsets", "words")
            )
        )

    @property
    def starts(self) -> Numbers:
        """Where each copy begins in `packed`, and the end, int64 [k + 1]."""
        return np.cumsum([0, *(len(self.tokens[text]) for text in self.texts)])


@dataclass(frozen=True, slots=True)
class _Question:
    """Pieces asked for in a batch: the token whose state answers, the piece, the text, and the half of the state."""

    places: Numbers
    labels: Numbers
    texts: Numbers
    half: int | None = None


def log_likelihoods(
    model: LanguageModel,
    texts: Sequence[str],
    *,
    hidden: Hidden = "piece",
    at_once: int | None = None,
    progress: Progress = SILENT,
) -> Likelihoods:
    """The (pseudo-)log-likelihood of each text.

    Args:
        model: which also says how the texts are read.
        texts: each at most as long as the model reads at once.
        hidden: for a masked model, what is masked beside the piece asked for.
        at_once: tokens of one batch, about; None takes what a processor's cache or a GPU likes.
        progress: a step a text.

    Raises:
        BadInput: a text is too long, or a masked model has no mark for what is hidden.
    """
    tokens, prefix = _read(model, list(texts))
    size = at_once or (_AT_ONCE if model.encoder.device.type == "cpu" else _AT_ONCE_ON_GPU)
    copies = _copies(tokens, prefix, model.tokenizer.suffix if model.reads == "masked" else None)
    logs, pieces = np.zeros(len(tokens)), np.zeros(len(tokens), dtype=np.int64)
    with progress.step(f"reading with {model.name}", len(copies)) as step, torch.inference_mode():
        for group in copies.groups(size):
            batch, questions = _masked(model, group, hidden) if model.reads == "masked" else _open(model, group, prefix)
            states = model.encoder(batch.to(model.encoder.device))
            for question in questions:
                np.add.at(logs, question.texts, _answers(model, states, question))
                np.add.at(pieces, question.texts, 1)
            step.advance(len(group))
    ways = 2 if model.reads == "bidirectional" else 1
    return Likelihoods(logs / ways, -(-pieces // ways))


def _read(model: LanguageModel, texts: list[str]) -> tuple[list[Tokens], int]:
    """The texts' tokens, and how many special ones stand before each: GPT-2 needs its mark to be asked the first."""
    tokenizer = model.tokenizer
    tokens, prefix = tokenizer.encode(texts), tokenizer.prefix
    if model.reads != "masked" and not prefix and "bos" in tokenizer.special_ids:
        tokens, prefix = [_begun(each, tokenizer.special_ids["bos"]) for each in tokens], 1
    limit = model.encoder.config.max_length
    for text, each in zip(texts, tokens, strict=True):
        if len(each) > limit:
            said = f"a text has {len(each)} tokens, {model.name} reads {limit} at once: {text[:60]!r}"
            raise BadInput(said, mend="divide it into sentences")
    return tokens, prefix


def _begun(tokens: Tokens, bos: int) -> Tokens:
    front = np.array([[0, 0]], dtype=np.int32)
    return Tokens(
        np.append(bos, tokens.ids),
        np.append(0, tokens.segments),
        np.concatenate([front, tokens.offsets]),
        np.append(np.int32(-1), tokens.words),
    )


def _copies(tokens: list[Tokens], prefix: int, suffix: int | None) -> _Copies:
    """A copy for every piece of every text, or with no `suffix` one for every text."""
    longest_first = sorted(range(len(tokens)), key=lambda number: len(tokens[number]), reverse=True)
    if suffix is None:
        return _Copies(tokens, np.array(longest_first, dtype=np.int64), np.zeros(len(tokens), dtype=np.int64))
    inner = [np.arange(prefix, len(tokens[number]) - suffix) for number in longest_first]
    texts = np.repeat(np.array(longest_first, dtype=np.int64), [len(places) for places in inner])
    return _Copies(tokens, texts, np.concatenate([np.zeros(0, dtype=np.int64), *inner]))


def _masked(model: LanguageModel, copies: _Copies, hidden: Hidden) -> tuple[Batch, list[_Question]]:
    """Each copy with its piece masked, and that piece asked for."""
    mask = model.tokenizer.special_ids.get("mask")
    if mask is None:
        raise BadInput(f"{model.name} has no mark for a gap", mend="use a model that was pretrained with masks")
    packed, starts = copies.packed(), copies.starts
    places = starts[:-1] + copies.places
    labels = packed.ids[places]
    packed.ids[places] = mask
    if hidden == "rest_of_word":
        owner = np.repeat(np.arange(len(copies)), np.diff(starts))
        same = (packed.words == packed.words[places][owner]) & (packed.words >= 0)
        packed.ids[same & (np.arange(len(owner)) > places[owner])] = mask
    return _batch(packed, starts), [_Question(places, labels, copies.texts)]


def _open(model: LanguageModel, copies: _Copies, prefix: int) -> tuple[Batch, list[_Question]]:
    """Whole texts, each piece asked of its neighbour before, and of the one behind where the model goes back too."""
    packed, starts = copies.packed(), copies.starts
    owner = np.repeat(np.arange(len(copies)), np.diff(starts))
    place = np.arange(len(owner)) - starts[owner]
    left = np.diff(starts)[owner] - 1 - place
    inner = (place >= prefix) & (left >= model.tokenizer.suffix)
    asked = np.flatnonzero(inner & (place > 0))
    both = model.reads == "bidirectional"
    questions = [_Question(asked - 1, packed.ids[asked], copies.texts[owner[asked]], 0 if both else None)]
    if both:
        asked = np.flatnonzero(inner & (left > 0))
        questions.append(_Question(asked + 1, packed.ids[asked], copies.texts[owner[asked]], 1))
    return _batch(packed, starts), questions


def _batch(packed: Tokens, starts: Numbers) -> Batch:
    bounds = torch.from_numpy(starts.astype(np.int32))
    return Batch(torch.from_numpy(packed.ids), torch.from_numpy(packed.segments), bounds)


def _answers(model: LanguageModel, states: Tensor, question: _Question) -> NDArray[np.float64]:
    """The log-probability of each piece asked for."""
    found = states[torch.from_numpy(question.places).to(states.device)]
    if question.half is not None:
        found = found.chunk(2, dim=-1)[question.half]
    labels = torch.from_numpy(question.labels).to(states.device)
    logs = model.log_probabilities(found).gather(1, labels[:, None])[:, 0]
    answers: NDArray[np.float64] = logs.double().numpy(force=True)
    return answers
