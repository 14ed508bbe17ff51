"""`TextEncoder`: a checkpoint with its tokenizer; texts in, vectors out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.batch import Batch, pack
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.pooling import SentenceHead, WordPooling, pool, pool_words
from wordworth.models.schedule import LengthReport, Limits, LongTexts, batches, cut_pair, fitted, take, windows
from wordworth.models.states import States
from wordworth.models.transformer import Transformer
from wordworth.progress import SILENT, Progress
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokens import Tokens
from wordworth.text.words import words as word_spans

Floats = NDArray[np.float32]
Layers = Literal["all"] | Sequence[int]
Read = Callable[[Batch], Tensor]
Pool = Callable[[Tensor, Tensor], Tensor]
_TEXTS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors, float32 [n, d], and what became of long texts."""

    vectors: Floats
    lengths: LengthReport


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEncoder:
    """An encoder as a user holds it.

    A text's vector is the same alone and in any company. Texts longer than `max_length` are read in overlapping
    windows; a token that stands in several windows is the mean of its states there, then the text is pooled as if it
    had been read whole.

    Attributes:
        name: what it was loaded as.
        checkpoint: the model and the names of its tensors.
        max_length: tokens read at once, special ones included.
        last: from a batch to the last hidden state; the model itself, or a faster twin of it.
        prompt: put before every text that is encoded (not before those whose states are asked for).
    """

    name: str
    checkpoint: Checkpoint
    tokenizer: Tokenizer
    head: SentenceHead
    max_length: int
    last: Callable[[Batch], Tensor]
    prompt: str = ""
    dtype: str = "float32"

    @property
    def model(self) -> Transformer:
        """The model, a torch module that can be trained."""
        return self.checkpoint.model

    @property
    def width(self) -> int:
        """Numbers in a sentence vector."""
        return self.head.width(self.model.width)

    @property
    def depth(self) -> int:
        """Layers above the input layer."""
        return self.model.depth

    @property
    def limits(self) -> Limits:
        """What fits into the model at once."""
        return Limits(self.max_length, self.tokenizer.prefix, self.tokenizer.suffix)

    def encode(self, texts: Sequence[str], *, long_texts: LongTexts = "window", progress: Progress = SILENT) -> Floats:
        """float32 [n, width], a row a text, in their order.

        Raises:
            BadInput: `texts` is one string, or a text is too long under `long_texts="error"`.
        """
        return self.embed(texts, long_texts=long_texts, progress=progress).vectors

    def embed(self, texts: Sequence[str], *, long_texts: LongTexts = "window", progress: Progress = SILENT) -> Embedded:
        """As `encode`, with the count of texts that did not fit.

        Raises:
            BadInput: as `encode`.
        """
        _refuse_string(texts)
        sequences, report = fitted(self._tokens(texts, self.prompt), self.limits, long_texts)
        _tell(report, progress)
        with progress.step("embedding", len(texts)) as step:
            vectors = self._pooled(sequences, self.last, self.head, step.advance)
        return Embedded(vectors, report)

    def encode_pairs(self, first: Sequence[str], second: Sequence[str], *, progress: Progress = SILENT) -> Embedded:
        """Vectors of pairs read together, each token seeing both texts (a cross-encoding), float32 [n, width].

        A pair that does not fit loses the ends of its texts, the longer one's first, and is counted as cut.

        Raises:
            BadInput: the two differ in number, or are strings.
        """
        _refuse_string(first)
        _refuse_string(second)
        if len(first) != len(second):
            raise BadInput(f"{len(first)} first texts and {len(second)} second ones", mend="give pairs")
        pairs = self.tokenizer.encode(list(first), list(second)) if first else []
        sequences = [cut_pair(tokens, self.limits) for tokens in pairs]
        cut = sum(len(short) < len(whole) for short, whole in zip(sequences, pairs, strict=True))
        report = LengthReport(len(first), 0, cut, self.max_length)
        _tell(report, progress)
        with progress.step("embedding pairs", len(first)) as step:
            vectors = self._pooled(sequences, self.last, self.head, step.advance)
        return Embedded(vectors, report)

    def pooled_layers(self, texts: Sequence[str], *, progress: Progress = SILENT) -> Floats:
        """The mean over a text's tokens (special ones too, as in sentence vectors) of every layer.

        Returns:
            float32 [n, depth + 1, d]; layer 0 is the input layer, nothing is normalised.

        Raises:
            BadInput: `texts` is one string.
        """
        _refuse_string(texts)
        sequences, report = fitted(self._tokens(texts, self.prompt), self.limits, "window")
        _tell(report, progress)
        with progress.step("embedding, every layer", len(texts)) as step:
            return self._pooled(
                sequences, self._reader("all"), lambda states, starts: pool(states, starts, "mean"), step.advance
            )

    def states(self, texts: Sequence[str], layers: Layers = "all", pooling: WordPooling = "mean") -> States:
        """Hidden states of every word of the texts.

        Args:
            texts: texts of any length; words are those of `wordworth.text.words`.
            layers: `all`, or layer numbers; negative ones count from the last.
            pooling: how a word's pieces become one state.

        Raises:
            BadInput: `texts` is one string.
            LookupError: there is no such layer.
        """
        _refuse_string(texts)
        spans = [word_spans(text) for text in texts]
        words = [[text[start:end] for start, end in found] for text, found in zip(texts, spans, strict=True)]
        return self._word_states(self._tokens(texts, ""), words, spans, layers, pooling)

    def word_states(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pooling: WordPooling = "first"
    ) -> States:
        """Hidden states of given words, as tagging needs them: a row for every word, in order.

        Spans count characters in the words joined by single spaces.

        Raises:
            BadInput: a sentence is a string.
            LookupError: there is no such layer.
        """
        for sentence in sentences:
            _refuse_string(sentence)
        words = [list(sentence) for sentence in sentences]
        tokens = self.tokenizer.encode_words(words) if words else []
        return self._word_states(tokens, words, [_spaced(sentence) for sentence in words], layers, pooling)

    def _tokens(self, texts: Sequence[str], prompt: str) -> list[Tokens]:
        return self.tokenizer.encode([prompt + text for text in texts]) if texts else []

    def _reader(self, layers: Layers) -> Read:
        """From a batch to [tokens, layers, d]."""
        wanted = self._numbers(layers)

        def read(batch: Batch) -> Tensor:
            found = {number: state for number, state in enumerate(self.model.states(batch)) if number in wanted}
            return torch.stack([found[number] for number in wanted], dim=1).float()

        return read

    def _numbers(self, layers: Layers) -> tuple[int, ...]:
        if layers == "all":
            return tuple(range(self.depth + 1))
        for layer in layers:
            if not -self.depth - 1 <= layer <= self.depth:
                raise LookupError(f"layer {layer}: this model has layers 0 to {self.depth}")
        return tuple(layer % (self.depth + 1) for layer in layers)

    def _pooled(self, sequences: list[Tokens], read: Read, pooled: Pool, advance: Callable[[float], None]) -> Floats:
        """One row a sequence, [n, ...], in their order."""
        rows: list[Floats] = [np.zeros(0, np.float32)] * len(sequences)
        short = [place for place, tokens in enumerate(sequences) if len(tokens) <= self.max_length]
        for places, states, starts in self._batched([sequences[place] for place in short], read):
            values = pooled(states, starts).numpy(force=True)
            for place, value in zip(places, values, strict=True):
                rows[short[place]] = value
            advance(len(places))
        for place, tokens in enumerate(sequences):
            if len(tokens) > self.max_length:
                starts = torch.tensor([0, len(tokens)])
                rows[place] = pooled(self._merged(tokens, read), starts).numpy(force=True)[0]
                advance(1)
        return np.stack(rows) if rows else np.zeros((0, self.width), np.float32)

    def _batched(self, sequences: list[Tokens], read: Read) -> Iterator[tuple[list[int], Tensor, Tensor]]:
        """For each batch: the sequences in it, their states and where they start."""
        for places in batches([len(tokens) for tokens in sequences]):
            batch = pack([sequences[place] for place in places]).to(self.model.device)
            with torch.inference_mode():
                yield places, read(batch), batch.starts

    def _merged(self, tokens: Tokens, read: Read) -> Tensor:
        """[t, ...]: each token's state, the mean over the windows it stands in."""
        rows = windows(len(tokens), self.limits)
        total, count = torch.zeros(0), torch.zeros(len(tokens))
        for places, states, starts in self._batched([take(tokens, window) for window in rows], read):
            where = torch.from_numpy(np.concatenate([rows[place] for place in places]))
            total = total if len(total) else states.new_zeros(len(tokens), *states.shape[1:])
            total.index_add_(0, where, states)
            count.index_add_(0, where, torch.ones(len(where)))
        return total / count.view(-1, *[1] * (total.dim() - 1))

    def _word_states(
        self,
        sequences: list[Tokens],
        words: list[list[str]],
        spans: list[list[tuple[int, int]]],
        layers: Layers,
        pooling: WordPooling,
    ) -> States:
        read, numbers = self._reader(layers), self._numbers(layers)
        found: list[Floats] = [np.zeros((0, len(numbers), self.model.width), np.float32)] * len(sequences)
        for place, states in self._each(sequences, read):
            indices = torch.from_numpy(sequences[place].words)
            found[place] = pool_words(states, indices, len(words[place]), pooling).numpy(force=True)
        empty = np.zeros((0, len(numbers), self.model.width), np.float32)
        pieces = [
            np.bincount(tokens.words[tokens.words >= 0], minlength=len(sentence))
            for tokens, sentence in zip(sequences, words, strict=True)
        ]
        return States(
            values=np.concatenate([empty, *found]).transpose(1, 0, 2),
            layers=numbers,
            words=tuple(word for sentence in words for word in sentence),
            spans=np.array([span for sentence in spans for span in sentence], np.int32).reshape(-1, 2),
            sentences=np.repeat(np.arange(len(words)), [len(sentence) for sentence in words]),
            pieces=np.concatenate([np.zeros(0, np.int64), *pieces]),
        )

    def _each(self, sequences: list[Tokens], read: Read) -> Iterator[tuple[int, Tensor]]:
        """Every sequence's place and its token states, [t, ...], in no particular order."""
        short = [place for place, tokens in enumerate(sequences) if len(tokens) <= self.max_length]
        for places, states, starts in self._batched([sequences[place] for place in short], read):
            lengths = (starts[1:] - starts[:-1]).tolist()
            for place, part in zip(places, torch.split(states, lengths), strict=True):
                yield short[place], part
        for place, tokens in enumerate(sequences):
            if len(tokens) > self.max_length:
                yield place, self._merged(tokens, read)


def _refuse_string(texts: Sequence[str]) -> None:
    if isinstance(texts, str):
        raise BadInput("one string where a list of texts belongs", mend="put it in a list: [text]")


def _spaced(words: list[str]) -> list[tuple[int, int]]:
    """Where each word would stand if they were joined by spaces."""
    spans, start = [], 0
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word) + 1
    return spans


def _tell(report: LengthReport, progress: Progress) -> None:
    if report.windowed or report.cut:
        progress.note(str(report))
