"""From sentences to the vectors of their units, layer by layer, for encoders and static tables alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.studies.context.settings import ContextSettings
from wordworth.studies.layer_reader import EncoderLayers, LayerReader, Pooling, StaticLayers
from wordworth.text.word_boundaries import Span
from wordworth.text.word_boundaries import words as word_spans

Forms = list[str | None]
"""The units of one sentence in order; None for one that has no vector."""


class Reader(LayerReader, Protocol):
    """A model as this study sees it."""

    @property
    def unit(self) -> str:
        """What is counted, in words."""
        ...

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """The units of each sentence."""
        ...

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [layers, units, d]: every unit of every sentence, in order."""
        ...

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Where the units of each sentence begin and end, in characters."""
        ...


def reader(model: str, settings: ContextSettings) -> Reader:
    """The model, opened.

    Raises:
        BadInput: nothing has that name, or its files are damaged.
    """
    last_layer = f"{settings.last_layer}_final_norm"
    loaded = load(model, dtype=settings.dtype, last_layer=last_layer, kept=True)  # type: ignore[arg-type]  # one of two
    if isinstance(loaded, StaticTable):
        return TableWords(loaded)
    encoder = loaded.for_inference()
    return EncoderPieces(encoder) if settings.units == "pieces" else EncoderWords(encoder, settings.pooling)


@dataclass(frozen=True, slots=True)
class EncoderWords(EncoderLayers):
    """Words as a person writes them, their pieces pooled; special tokens are read and left out."""

    pooling: Pooling

    @property
    def unit(self) -> str:
        """What is counted."""
        how = {"mean": "the mean of its pieces", "first": "its first piece", "last": "its last piece"}
        return f"words, each {how[self.pooling]}"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Words, in lower case where the model cannot see case; None where no piece stands for one."""
        lower = self.encoder.tokenizer.lowercase
        found: list[Forms] = []
        for text, tokens in zip(texts, self.encoder.tokenizer.encode(texts), strict=True):
            written = [text[start:end] for start, end in word_spans(text)]
            pieces = np.bincount(tokens.words[tokens.words >= 0], minlength=len(written))
            forms = (word.lower() if lower else word for word in written)
            found.append([form if count else None for form, count in zip(forms, pieces, strict=True)])
        return found

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Pooled states of every word under every layer."""
        return self.encoder.states(texts, pooling=self.pooling).values

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Words as they are written."""
        return list(map(word_spans, texts))


@dataclass(frozen=True, slots=True)
class EncoderPieces(EncoderLayers):
    """The tokenizer's own pieces as words, as the paper took BERT's; special tokens are read and left out."""

    @property
    def unit(self) -> str:
        """What is counted."""
        return "pieces of the tokenizer, each taken for a word"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Pieces as the vocabulary has them, in `piece_states`' order."""
        reader = self.encoder.tokenizer
        return [list(reader.tokens(t.ids[t.words >= 0])) for t in reader.encode(texts)]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """States of every piece under every layer."""
        return self.encoder.piece_states(texts).values

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """The characters that each piece stands for."""
        tokens = self.encoder.tokenizer.encode(texts)
        return [[(int(start), int(end)) for start, end in one.offsets[one.words >= 0]] for one in tokens]


class TableWords(StaticLayers):
    """Words that a static table has; it is the null of every contextual measure."""

    @property
    def unit(self) -> str:
        """What is counted."""
        return "words that the table has"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Words; None where the table has none, or has zeros, for one."""
        written = [[text[start:end] for start, end in word_spans(text)] for text in texts]
        distinct = sorted({word for words in written for word in words})
        vectors, known = self.table.word_vectors(distinct)
        usable = {word for word, ok in zip(distinct, known & vectors.any(axis=1), strict=True) if ok}
        return [[word if word in usable else None for word in words] for words in written]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Each word's vector, [1, words, d]."""
        written = [text[start:end] for text in texts for start, end in word_spans(text)]
        return self.table.word_vectors(written)[0][None]

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Words as they are written."""
        return list(map(word_spans, texts))
