"""`TextEncoder`: a checkpoint with its tokenizer; texts in, vectors out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput, LongTextWarning, NotFound
from wordworth.models.batch import Batch
from wordworth.models.batched_inference import BatchedReader, Floats, Pool, Read
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.cpu_inference.encoder import CpuEncoder
from wordworth.models.cpu_inference.select import StateReader
from wordworth.models.hidden_states import States
from wordworth.models.length_batching import LengthReport, cut_pair
from wordworth.models.pooling import SentenceHead, WordPooling
from wordworth.models.transformer import Encoder
from wordworth.models.word_pooling import pool_into, room_for_states
from wordworth.progress import SILENT, Progress
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.validation import require_texts
from wordworth.text.windows import LongTexts, Plan, WindowSpec, plan_windows
from wordworth.text.word_boundaries import Span
from wordworth.text.word_boundaries import words as word_spans

_T = TypeVar("_T")
Layers = Literal["all"] | int | Sequence[int]
OVERLAP = 32
"""Tokens that neighbouring windows over a long text share at least, where the window has room for them."""


@dataclass(frozen=True, slots=True)
class EmbeddingResult:
    """Vectors, float32 [n, d], and what became of long texts."""

    vectors: Floats
    lengths: LengthReport


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEncoder:
    """An encoder as a user holds it.

    A text's vector is the same alone and in any company. Texts longer than `max_length` are read in overlapping
    windows; each token's state is taken from the window that shows it the most context, and the text is then pooled
    as if it had been read whole.

    Attributes:
        name: what it was loaded as.
        checkpoint: the model and the names of its tensors.
        max_length: tokens read at once, special ones included.
        last: from a batch to hidden states; the model itself, or a faster twin of it.
        dtype: what it computes in; vectors are float32 always.
        kernel: who computes: `plain` is the model itself.
        prompt: put before every text that becomes a vector (not before those whose words' states are asked for).
    """

    name: str
    checkpoint: Checkpoint
    tokenizer: TokenizerProtocol
    head: SentenceHead
    max_length: int
    last: StateReader
    prompt: str = ""
    dtype: str = "float32"
    kernel: str = "plain"

    def __repr__(self) -> str:
        size = f"{self.depth} layers, {self.width} wide, {self.max_length} tokens at once"
        return f"<TextEncoder {self.name!r}: {size}, {self.dtype}, {self.kernel}>"

    @property
    def model(self) -> Encoder:
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

    def for_inference(self) -> TextEncoder:
        """This encoder without what reading does not need, to save memory: heads, and weights that a twin has packed.

        Those weights leave the model itself, which can then be neither called, trained nor saved.
        """
        if isinstance(self.last, CpuEncoder):
            self.last.release_source_weights()
        return replace(self, checkpoint=replace(self.checkpoint, heads={}))

    @property
    def frame(self) -> WindowSpec:
        """What fits into the model at once.

        Raises:
            BadInput: `max_length` leaves no room for text.
        """
        prefix, suffix = self.tokenizer.prefix, self.tokenizer.suffix
        room = self.max_length - prefix - suffix
        overlap = max(0, min(OVERLAP, room // 2))
        return WindowSpec(max_length=self.max_length, overlap=overlap, prefix=prefix, suffix=suffix)

    def encode(
        self, texts: Sequence[str], *, long_texts: LongTexts | None = None, progress: Progress = SILENT
    ) -> Floats:
        """float32 [n, width], a row a text, in their order.

        Args:
            texts: texts of any length.
            long_texts: what becomes of a text of more than `max_length` tokens. `window` reads all of it, in windows
                that overlap; `cut` reads its first `max_length` tokens, as sentence-transformers does; `error`
                refuses it. None is `window`, with a `LongTextWarning` of a long text where no `progress` is there to
                note it.
            progress: where to report.

        Raises:
            BadInput: `texts` is one string, or a text is too long under `long_texts="error"`.
        """
        embedded = self.embed(texts, long_texts=long_texts or "window", progress=progress)
        if embedded.lengths.windowed and long_texts is None and progress is SILENT:
            warnings.warn(_long(self.name, self.max_length), LongTextWarning, stacklevel=2)
        return embedded.vectors

    def embed(
        self, texts: Sequence[str], *, long_texts: LongTexts = "window", progress: Progress = SILENT
    ) -> EmbeddingResult:
        """As `encode`, with the count of texts that did not fit.

        Raises:
            BadInput: as `encode`.
        """
        tokens = self._ids(texts)
        return self._embedded(tokens, self._plan(tokens, long_texts), progress)

    def unknown_rate(self, texts: Sequence[str]) -> float:
        """The share of the texts' pieces that the tokenizer reads as its mark for the unknown; 0 of no pieces."""
        mark, ids = self.tokenizer.special_ids.get("unk", -1), self.tokenizer.ids(texts, special=False)
        pieces = sum(map(len, ids))
        return sum(int((one == mark).sum()) for one in ids) / pieces if pieces else 0.0

    def encode_pairs(
        self, first: Sequence[str], second: Sequence[str], *, progress: Progress = SILENT
    ) -> EmbeddingResult:
        """Vectors of pairs read together, each token seeing both texts (a cross-encoding), float32 [n, width].

        A pair that does not fit loses the ends of its texts, the longer one's first, and is counted as cut.

        Raises:
            BadInput: the two differ in number, or are strings.
        """
        pairs = self.tokenizer.encode(_listed(first), _listed(second))
        tokens = [cut_pair(pair, self.max_length) for pair in pairs]
        dropped = [len(pair) - len(kept) for pair, kept in zip(pairs, tokens, strict=True)]
        kept = plan_windows([len(pair) for pair in tokens], self.frame, long="error")
        cut = Plan(windows=kept.windows, cut=sum(count > 0 for count in dropped), dropped=sum(dropped))
        return self._embedded(tokens, cut, progress)

    def pooled_layers(
        self, texts: Sequence[str], *, long_texts: LongTexts = "window", progress: Progress = SILENT
    ) -> Floats:
        """The mean over a text's tokens (special ones too, as in sentence vectors) of every layer.

        Args:
            texts: to read.
            long_texts: as `encode` has it.
            progress: who is told.

        Returns:
            float32 [n, depth + 1, d]; layer 0 is the input layer, nothing is normalised.

        Raises:
            BadInput: `texts` is one string.
        """
        tokens = self._ids(texts)
        shape = (self.depth + 1, self.model.width)
        return self._pooled(
            tokens, self._plan(tokens, long_texts), SentenceHead(), (self._reader("all"), shape), progress
        )

    def states(self, texts: Sequence[str], layers: Layers = "all", pooling: WordPooling = "mean") -> States:
        """Hidden states of every word of the texts.

        Args:
            texts: texts of any length; their words are those of `wordworth.text.word_boundaries`.
            layers: `all`, a layer's number or several; negative ones count from the last.
            pooling: how a word's pieces become one state.

        Raises:
            BadInput: `texts` is one string.
            NotFound: there is no such layer.
            NotEnoughMemory: the states would take more memory than there is.
        """
        texts = require_texts(texts)
        spans = [word_spans(text) for text in texts]
        words = [[text[start:end] for start, end in found] for text, found in zip(texts, spans, strict=True)]
        return self._word_states(self.tokenizer.encode(texts), words, spans, (layers, pooling))

    def word_states(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pooling: WordPooling = "first"
    ) -> States:
        """Hidden states of given words, as tagging needs them: a row for every word, in order.

        Spans count characters in the words joined by single spaces.

        Raises:
            BadInput: a sentence is a string.
            NotFound: there is no such layer.
        """
        words = [_listed(sentence) for sentence in _listed(sentences)]
        tokens = self.tokenizer.encode_words(words)
        return self._word_states(tokens, words, [_spaced(sentence) for sentence in words], (layers, pooling))

    def piece_states(self, texts: Sequence[str], layers: Layers = "all") -> States:
        """Hidden states of every piece of the texts; special tokens are read and left out.

        `words` are the pieces as the vocabulary has them, `spans` their characters.

        Raises:
            BadInput: `texts` is one string.
            NotFound: there is no such layer.
            NotEnoughMemory: the states would take more memory than there is.
        """
        read = self.tokenizer.encode(require_texts(texts))
        inner = [tokens.words >= 0 for tokens in read]
        pieces = [self.tokenizer.tokens(t.ids[mine]) for t, mine in zip(read, inner, strict=True)]
        spans = [[(int(a), int(b)) for a, b in t.offsets[mine]] for t, mine in zip(read, inner, strict=True)]
        apart = [replace(t, words=np.where(mine, np.cumsum(mine) - 1, -1)) for t, mine in zip(read, inner, strict=True)]
        return self._word_states(apart, pieces, spans, (layers, "first"))

    def lengths(self, tokens: Sequence[Tokens]) -> LengthReport:
        """What becomes of texts as `tokenizer` reads them: how many are longer than is read at once."""
        return self._report(len(tokens), self._plan(tokens, "window"))

    def _ids(self, texts: Sequence[str]) -> list[Tokens]:
        """The texts behind the prompt as ids alone: what vectors need, at a fraction of the time that words take."""
        return [_bare(ids) for ids in self.tokenizer.ids([self.prompt + text for text in require_texts(texts)])]

    def _plan(self, tokens: Sequence[Tokens], long_texts: LongTexts) -> Plan:
        return plan_windows([len(sequence) for sequence in tokens], self.frame, long=long_texts)

    def _embedded(self, tokens: list[Tokens], reading: Plan, progress: Progress) -> EmbeddingResult:
        vectors = self._pooled(tokens, reading, self.head, (self.last, (self.width,)), progress)
        return EmbeddingResult(vectors, self._report(len(tokens), reading))

    def _report(self, texts: int, reading: Plan) -> LengthReport:
        counts = {"windowed": reading.windowed, "cut": reading.cut, "dropped": reading.dropped}
        return LengthReport(texts=texts, limit=self.max_length, **counts)

    def _pooled(
        self, tokens: list[Tokens], reading: Plan, pooled: Pool, read: tuple[Read, tuple[int, ...]], progress: Progress
    ) -> Floats:
        """float32 [n, *shape] for what is read and its shape; zeros for a text of which a tokenizer leaves nothing."""
        if reading.windowed or reading.cut:
            progress.note(str(self._report(len(tokens), reading)))
        reader, shape = read
        with progress.step(f"embedding with {self.name}", len(tokens)) as step:
            found = BatchedReader(reader, self.model.device).pooled(tokens, reading, pooled, step.advance)
        rows = [row if len(row) else np.zeros(shape, np.float32) for row in found]
        return self._finite(np.stack(rows)) if rows else np.zeros((0, *shape), np.float32)

    def _finite(self, values: Floats) -> Floats:
        """The same numbers.

        Raises:
            BadInput: not all of them are numbers.
        """
        if not np.isfinite(values).all():
            what = f"{self.name} gives vectors that are no numbers"
            raise BadInput(what, mend="wordworth doctor, given the same model, says which weights are at fault")
        return values

    def _reader(self, layers: Layers) -> Read:
        """From a batch to [tokens, layers, d]."""
        wanted = self._numbers(layers)
        places = [[place for place, one in enumerate(wanted) if one == layer] for layer in range(self.depth + 1)]

        def read(batch: Batch) -> Tensor:
            found = torch.empty(len(batch.ids), len(wanted), self.model.width, device=batch.ids.device)
            for mine, state in zip(places, self.last.states(batch), strict=True):
                found[:, mine] = state.float()[:, None]
            return found

        return read

    def _numbers(self, layers: Layers) -> tuple[int, ...]:
        if isinstance(layers, str):
            if str(layers) != "all":
                raise NotFound(f"there are no layers {layers!r}", mend=f'give "all", or numbers of 0 to {self.depth}')
            return tuple(range(self.depth + 1))
        wanted = (layers,) if isinstance(layers, int) else tuple(layers)
        for layer in wanted:
            if not -self.depth - 1 <= layer <= self.depth:
                raise NotFound(f"there is no layer {layer}", mend=f"this model has layers 0 to {self.depth}")
        return tuple(layer % (self.depth + 1) for layer in wanted)

    def _word_states(
        self, tokens: list[Tokens], words: list[list[str]], spans: list[list[Span]], how: tuple[Layers, WordPooling]
    ) -> States:
        layers, pooling = self._numbers(how[0]), how[1]
        reading = self._plan(tokens, "window")
        ends = np.cumsum([0, *map(len, words)])
        found = room_for_states(int(ends[-1]), len(layers), self.model.width)
        rows = [found[start:end] for start, end in pairwise(ends)]
        pool_into(rows, BatchedReader(self._reader(layers), self.model.device), tokens, reading, pooling)
        return States(
            values=self._finite(found).transpose(1, 0, 2),
            layers=layers,
            words=tuple(word for sentence in words for word in sentence),
            spans=np.array([span for sentence in spans for span in sentence], np.int32).reshape(-1, 2),
            sentences=np.repeat(np.arange(len(words)), [len(sentence) for sentence in words]),
            pieces=np.concatenate([np.zeros(0, np.int64), *map(_pieces, tokens, words)]),
            lengths=self._report(len(tokens), reading),
        )


def _bare(ids: NDArray[np.int64]) -> Tokens:
    nothing = np.zeros(1, np.int64)
    offsets = np.broadcast_to(nothing.astype(np.int32), (len(ids), 2))
    return Tokens(ids, np.broadcast_to(nothing, len(ids)), offsets, np.broadcast_to(offsets[:1, 0], len(ids)))


def _long(name: str, limit: int) -> str:
    """The warning of long texts; without counts, so that Python shows it once for a line of the caller's code."""
    return (
        f"{name} reads {limit} tokens at once; longer texts are read whole, in overlapping windows, where "
        "sentence-transformers cuts them: long_texts='cut' cuts them too, long_texts='window' silences this warning"
    )


def _listed(texts: Sequence[_T]) -> list[_T]:
    if isinstance(texts, str):
        raise BadInput("one string where a list belongs", mend="put it in a list: [text]")
    return list(texts)


def _pieces(tokens: Tokens, words: list[str]) -> np.ndarray:
    return np.bincount(tokens.words[tokens.words >= 0], minlength=len(words))


def _spaced(words: list[str]) -> list[Span]:
    """Where each word stands once they are joined by spaces."""
    spans, start = [], 0
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word) + 1
    return spans
