"""`TextEncoder`: a checkpoint with its tokenizer, which turns texts into vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from wordworth.caller_warnings import notify
from wordworth.errors import BadInput, LongTextWarning
from wordworth.models.activation_taps import Taps
from wordworth.models.activations import Score, TextActivations, activations
from wordworth.models.batched_inference import BatchedReader, Floats, Pool, Read
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.cpu_inference.encoder import CpuEncoder
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader
from wordworth.models.encoder_base import Encoder
from wordworth.models.hidden_states import (
    EmbeddingResult,
    States,
    pieces_as_words,
    pool_into,
    require_finite,
    room_for_states,
)
from wordworth.models.layer_choice import Layers, layer_numbers, layer_reader, layers_in_turn
from wordworth.models.length_batching import ROWS_A_BATCH, LengthReport, long_text_warning, require_batch_size
from wordworth.models.pooling import Normalize, SentenceHead, WordPooling
from wordworth.models.prompts import Prompted
from wordworth.progress import SILENT, Progress, require_progress
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens, ids_only, require_list, require_texts
from wordworth.text.truncation import truncate_pair
from wordworth.text.windows import LongTexts, Plan, WindowSpec, plan_windows, take
from wordworth.text.word_boundaries import Span, joined_spans
from wordworth.text.word_boundaries import words as word_spans

OVERLAP = 32
"""Minimal number of tokens that neighbouring windows over a long text share, if the window is large enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEncoder(Prompted):
    """An encoder with its tokenizer and pooling.

    A text's vector is the same alone and in any batch. Texts longer than `max_length` are read in overlapping windows.
    Each token's state is taken from the window with the most context around the token; all states are pooled together.

    Attributes:
        name: the name that the encoder was loaded by.
        checkpoint: the model and the names of its tensors.
        tokenizer: turns texts into tokens.
        head: pools token states to a sentence vector.
        max_length: number of tokens read at once, special ones included.
        state_reader: computes hidden states of a batch: the model itself, or an optimised copy of the model.
        prompt, prompts: the prompt before every text, and every prompt of the folder by its name.
        dtype: dtype of the computation; vectors are always float32.
        kernel: the kernel that computes; `plain` is the model itself.
    """

    name: str
    checkpoint: Checkpoint
    tokenizer: TokenizerProtocol
    head: SentenceHead
    max_length: int
    state_reader: StateReader
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
        """Width of a sentence vector."""
        return self.head.width(self.model.width)

    @property
    def depth(self) -> int:
        """Number of layers above the input layer."""
        return self.model.depth

    def with_model(self, model: Encoder) -> TextEncoder:
        """Return a copy in float32 and without heads, whose model is `model`, of the same width and vocabulary."""
        checkpoint = replace(self.checkpoint, model=model, heads={})
        return replace(self, checkpoint=checkpoint, state_reader=model, dtype="float32", kernel="plain")

    def for_inference(self) -> TextEncoder:
        """Return an encoder for encoding alone, in less memory: its model cannot be called, trained or saved.

        The result has no heads. It and this encoder lose the weights of which an optimised copy holds a packed form.
        """
        if isinstance(self.state_reader, CpuEncoder):
            self.state_reader.release_source_weights()
        return replace(self, checkpoint=replace(self.checkpoint, heads={}))

    @property
    def window(self) -> WindowSpec:
        """The window of tokens that the model reads at once, with its length, overlap and number of special tokens.

        Raises:
            BadInput: `max_length` leaves no room for text.
        """
        prefix, suffix = self.tokenizer.prefix, self.tokenizer.suffix
        overlap = max(0, min(OVERLAP, (self.max_length - prefix - suffix) // 2))
        return WindowSpec(max_length=self.max_length, overlap=overlap, prefix=prefix, suffix=suffix)

    def encode(
        self,
        texts: str | Sequence[str],
        *,
        batch_size: int | None = None,
        normalize: bool = False,
        long_texts: LongTexts | None = None,
        progress: Progress = SILENT,
    ) -> Floats:
        """Return the vectors of texts, float32 [n, width] in the order of the texts; of one text, float32 [width].

        Args:
            texts: texts of any length, or one text.
            batch_size: most texts in a batch, which changes no vector; None chooses it by the texts' lengths.
            normalize: whether vectors are scaled to length 1, so that their dot products are cosines.
            long_texts: how a text of more than `max_length` tokens is read. `window` reads all of it, in overlapping
                windows; `cut` its first `max_length` tokens, as sentence-transformers does; `error` refuses it. None
                reads as `window`, and tells the user by a note of `progress` or by a `LongTextWarning`.
            progress: receives the progress.

        Raises:
            BadInput: an item of `texts` is not text, or a text is too long under `long_texts="error"`.
        """
        require_batch_size(batch_size)
        several = [texts] if isinstance(texts, str) else texts
        embedded = self.embed(several, batch_size=batch_size, long_texts=long_texts or "window", progress=progress)
        if embedded.lengths.windowed and long_texts is None and progress is SILENT:  # else `embed` has noted it
            notify(long_text_warning(self.name, self.max_length), LongTextWarning)
        vectors = Normalize()(torch.from_numpy(embedded.vectors)).numpy() if normalize else embedded.vectors
        return vectors[0] if isinstance(texts, str) else vectors

    def embed(
        self,
        texts: Sequence[str],
        *,
        batch_size: int | None = None,
        long_texts: LongTexts = "window",
        progress: Progress = SILENT,
    ) -> EmbeddingResult:
        """Embed several texts; return the vectors and a report on texts of over `max_length` tokens.

        Args:
            texts: texts of any length.
            batch_size: most texts in a batch; None chooses it by the texts' lengths.
            long_texts: how a text of more than `max_length` tokens is read, as in `encode`: `window`, `cut` or `error`.
            progress: receives the progress.
        """
        tokens = self.tokenize(texts)
        return self._embedded(tokens, self._plan(tokens, long_texts), progress, batch_size)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenize texts, each with the encoder's prompt before it, as `embed_tokens` needs them."""
        prompted = [self.prompt + text for text in require_texts(texts)]
        if self.model.features:
            return self.tokenizer.encode(prompted)
        return [ids_only(ids) for ids in self.tokenizer.ids(prompted)]

    def embed_tokens(self, tokens: list[Tokens]) -> EmbeddingResult:
        """Embed texts that `tokenize` has tokenized, long ones in windows, as `embed` does."""
        return self._embedded(tokens, self._plan(tokens, "window"), SILENT)

    def save(self, folder: Path | str) -> None:
        """Write model, tokenizer and pooling into a folder that `load`, transformers and sentence-transformers open.

        Weights are written in float32. The folder is written whole or not at all; an existing folder is replaced.

        Raises:
            BadInput: `folder` cannot be written, or `for_inference` has freed the model.
        """
        from wordworth.models.save_encoder import save

        self._require_weights()
        save(self, folder)

    def unknown_rate(self, texts: Sequence[str]) -> float:
        """Return the share, 0 to 1, of the texts' pieces that are the unknown token; 0 if the texts have no pieces."""
        unknown, ids = self.tokenizer.special_ids.get("unk", -1), self.tokenizer.ids(texts, special=False)
        pieces = sum(map(len, ids))
        return sum(int((text_ids == unknown).sum()) for text_ids in ids) / pieces if pieces else 0.0

    def encode_pairs(
        self, first: Sequence[str], second: Sequence[str], *, progress: Progress = SILENT
    ) -> EmbeddingResult:
        """Embed pairs of texts, each as one sequence of at most `max_length` tokens; the longer text is cut first.

        Args:
            first: the first text of each pair.
            second: the second text of each pair.
            progress: receives the progress.

        Raises:
            BadInput: `first` and `second` differ in length, or one of them is a string.
        """
        pairs = self.tokenizer.encode(require_list(first), require_list(second))
        tokens = [truncate_pair(pair, self.max_length) for pair in pairs]
        dropped = [len(pair) - len(shortened) for pair, shortened in zip(pairs, tokens, strict=True)]
        windows = plan_windows([len(pair) for pair in tokens], self.window, long="error").windows
        plan = Plan(windows=windows, cut=sum(count > 0 for count in dropped), dropped=sum(dropped))
        return self._embedded(tokens, plan, progress)

    def pooled_layers(
        self,
        texts: Sequence[str],
        *,
        layers: Layers = "all",
        long_texts: LongTexts = "window",
        progress: Progress = SILENT,
    ) -> Floats:
        """Return the mean state of each text's tokens in the chosen layers; special tokens are included.

        Args:
            texts: texts of any length.
            layers: `all`, a layer's number or several; layers above the highest chosen layer are not computed.
            long_texts: how a text of more than `max_length` tokens is read: `window`, `cut` or `error`.
            progress: receives the progress.

        Returns:
            float32 [n, layers, d]; layer 0 is the input layer; the means are not scaled to length 1.

        Raises:
            NotFound: there is no such layer.
        """
        tokens, numbers = self.tokenize(texts), layer_numbers(layers, self.depth)
        in_turn, shape = layers_in_turn(self.state_reader, numbers), (len(numbers), self.model.width)
        reader = BatchedReader(self._reader(layers), self.model.device, layers=in_turn)
        return self._pooled(tokens, self._plan(tokens, long_texts), SentenceHead(), (reader, shape), progress)

    def states(self, texts: Sequence[str], layers: Layers = "all", pooling: WordPooling = "mean") -> States:
        """Compute the hidden states of every word of the texts in the chosen layers.

        Args:
            texts: texts of any length; `wordworth.text.word_boundaries` divides them into words.
            layers: `all`, a layer's number or several; negative ones count from the last.
            pooling: the state of a word: the `mean` over its pieces, or the state of its `first` or `last` piece.

        Raises:
            BadInput: `texts` is one string.
            NotFound: there is no such layer.
            NotEnoughMemory: the states would take more memory than there is.
        """
        texts = require_texts(texts)
        spans = [word_spans(text) for text in texts]
        words = [[text[start:end] for start, end in inside] for text, inside in zip(texts, spans, strict=True)]
        return self._word_states(self.tokenizer.encode(texts), words, spans, (layers, pooling))

    def word_states(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pooling: WordPooling = "first"
    ) -> States:
        """Compute the hidden states of pretokenized sentences, as tagging needs them: one row per word, in order.

        `spans` of the result count characters in the sentence whose words are joined by single spaces.

        Args:
            sentences: the words of each sentence.
            layers: `all`, a layer's number or several; negative ones count from the last.
            pooling: the state of a word: the `mean` over its pieces, or the state of its `first` or `last` piece.

        Raises:
            BadInput: a sentence is a string.
            NotFound: there is no such layer.
        """
        words = [require_list(sentence) for sentence in require_list(sentences)]
        tokens = self.tokenizer.encode_words(words)
        return self._word_states(tokens, words, [joined_spans(sentence) for sentence in words], (layers, pooling))

    def piece_states(self, texts: Sequence[str], layers: Layers = "all") -> States:
        """Compute hidden states of every piece of the texts; special tokens are read, but not returned.

        `words` of the result are the pieces as the vocabulary spells them, `spans` the characters of each piece.

        Args:
            texts: texts of any length.
            layers: `all`, a layer's number or several; negative ones count from the last.

        Raises:
            BadInput: `texts` is one string.
            NotFound: there is no such layer.
            NotEnoughMemory: the states would take more memory than there is.
        """
        encoded = self.tokenizer.encode(require_texts(texts))
        inner = [tokens.words >= 0 for tokens in encoded]
        pieces = [self.tokenizer.tokens(t.ids[is_inner]) for t, is_inner in zip(encoded, inner, strict=True)]
        spans = [[(int(a), int(b)) for a, b in t.offsets[is_inner]] for t, is_inner in zip(encoded, inner, strict=True)]
        return self._word_states([pieces_as_words(tokens) for tokens in encoded], pieces, spans, (layers, "first"))

    def activations(
        self,
        texts: Sequence[str],
        taps: Taps,
        *,
        long_texts: Literal["error", "cut"] = "error",
        head_scale: Tensor | None = None,
        gradient_of: Score | None = None,
        batch_tokens: int = ROWS_A_BATCH,
    ) -> Iterator[TextActivations]:
        """Yield inner values of the model, text by text: attention weights, queries, head outputs, gradients.

            for text in encoder.activations(texts, Taps(read=("layers.*.attention.probabilities",))):
                text.values["layers.0.attention.probabilities"]  # [heads, tokens, tokens]

        Args:
            texts: any number of texts; the values of only one batch are in memory at a time.
            taps: names of the values to read, and changes of values, as in `wordworth.models.activation_taps`.
            long_texts: `error` refuses a text of more than `max_length` tokens, `cut` reads the first `max_length`;
                there are no windows, since attention has no meaning across windows.
            head_scale: [layers, heads], a factor for each head's output, 0 to remove a head; None for no change.
            gradient_of: function of a text's index and last states [tokens, width], a score to differentiate; or None.
            batch_tokens: number of tokens read at once; the values do not depend on this number.

        Raises:
            BadInput: a text is too long, `head_scale` has another shape, or `for_inference` has freed the model.
            NotFound: a name in `taps` matches no value of the model.
        """
        self._require_weights()
        taps.check(self.model.tap_names())
        tokens = self.tokenizer.encode(require_texts(texts))
        windows = self._plan(tokens, long_texts).windows
        read = [take(each, window.positions) for each, window in zip(tokens, windows, strict=True)]
        options = {"head_scale": head_scale, "gradient_of": gradient_of, "batch_tokens": batch_tokens}
        return activations(self.model, read, taps, **options)  # type: ignore[arg-type]  # each option has its type

    def lengths(self, tokens: Sequence[Tokens]) -> LengthReport:
        """Report how many texts, already tokenized by `tokenizer`, have more than `max_length` tokens."""
        return self._report(len(tokens), self._plan(tokens, "window"))

    def _plan(self, tokens: Sequence[Tokens], long_texts: LongTexts) -> Plan:
        return plan_windows([len(sequence) for sequence in tokens], self.window, long=long_texts)

    def _require_weights(self) -> None:
        if any(parameter.is_meta for parameter in self.model.parameters()):
            raise BadInput(f"{self.name} has only what inference needs", mend="load it again, without for_inference")

    def _embedded(
        self, tokens: list[Tokens], reading: Plan, progress: Progress, batch_size: int | None = None
    ) -> EmbeddingResult:
        is_optimised = self.kernel != "plain"
        reader = BatchedReader(self.state_reader, self.model.device, batch_size, is_thread_invariant=is_optimised)
        vectors = self._pooled(tokens, reading, self.head, (reader, (self.width,)), progress)
        return EmbeddingResult(vectors, self._report(len(tokens), reading))

    def _report(self, texts: int, reading: Plan) -> LengthReport:
        counts = {"windowed": reading.windowed, "cut": reading.cut, "dropped": reading.dropped}
        return LengthReport(texts=texts, limit=self.max_length, **counts)

    def _pooled(
        self,
        tokens: list[Tokens],
        reading: Plan,
        pooled: Pool,
        read: tuple[BatchedReader, tuple[int, ...]],
        progress: Progress,
    ) -> Floats:
        """Return pooled states, float32 [n, *shape], with `read` = (reader, shape); zeros for a text without tokens."""
        require_progress(progress)
        if reading.windowed or reading.cut:
            progress.note(str(self._report(len(tokens), reading)))
        reader, shape = read
        with progress.step(f"embedding with {self.name}", len(tokens)) as step:
            vectors = reader.pooled(tokens, reading, pooled, step.advance)
        rows = [row if len(row) else np.zeros(shape, np.float32) for row in vectors]
        return require_finite(np.stack(rows), self.name) if rows else np.zeros((0, *shape), np.float32)

    def _reader(self, layers: Layers) -> Read:
        numbers, width = layer_numbers(layers, self.depth), self.model.width
        return layer_reader(self.state_reader, numbers, depth=self.depth, width=width)

    def _word_states(
        self,
        tokens: list[Tokens],
        words: list[list[str]],
        spans: list[list[Span]],
        layers_and_pooling: tuple[Layers, WordPooling],
    ) -> States:
        layers, pooling = layer_numbers(layers_and_pooling[0], self.depth), layers_and_pooling[1]
        reading = self._plan(tokens, "window")
        ends = np.cumsum([0, *map(len, words)])
        values = room_for_states(int(ends[-1]), len(layers), self.model.width)
        rows = [values[start:end] for start, end in pairwise(ends)]
        pool_into(rows, BatchedReader(self._reader(layers), self.model.device), tokens, reading, pooling)
        states = require_finite(values, self.name).transpose(1, 0, 2)
        return States.of(states, layers, words, spans, tokens, self._report(len(tokens), reading))
