"""Readers turn sentences into vectors of their units, layer by layer, for encoders and static tables alike."""

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
    """A model as this study uses it."""

    @property
    def unit(self) -> str:
        """A description of the units that are counted."""
        ...

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """The units of each sentence."""
        ...

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of every unit of every sentence, in order, float32 [layers, units, d]."""
        ...

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return where the units of each sentence start and end, in characters."""
        ...


def reader(model: str, settings: ContextSettings) -> Reader:
    """Open a model.

    Raises:
        BadInput: there is no model of that name, or its files are damaged.
    """
    last_layer = f"{settings.last_layer}_final_norm"
    loaded = load(model, dtype=settings.dtype, last_layer=last_layer, kept=True)  # type: ignore[arg-type]  # one of two
    if isinstance(loaded, StaticTable):
        return TableWords(loaded)
    encoder = loaded.for_inference()
    return EncoderPieces(encoder) if settings.units == "pieces" else EncoderWords(encoder, settings.pooling)


@dataclass(frozen=True, slots=True)
class EncoderWords(EncoderLayers):
    """Words as people write them, their subwords pooled; special tokens are read and left out."""

    pooling: Pooling

    @property
    def unit(self) -> str:
        """A description of the units that are counted."""
        how = {"mean": "the mean of its pieces", "first": "its first piece", "last": "its last piece"}
        return f"words, each {how[self.pooling]}"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Split each sentence into words, in lower case for an uncased model; None for a word without subwords."""
        lower = self.encoder.tokenizer.lowercase
        units: list[Forms] = []
        for text, tokens in zip(texts, self.encoder.tokenizer.encode(texts), strict=True):
            written = [text[start:end] for start, end in word_spans(text)]
            pieces = np.bincount(tokens.words[tokens.words >= 0], minlength=len(written))
            forms = (word.lower() if lower else word for word in written)
            units.append([form if count else None for form, count in zip(forms, pieces, strict=True)])
        return units

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the pooled states of every word in every layer, float32 [layers, words, d]."""
        return self.encoder.states(texts, pooling=self.pooling).values

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the character spans of the words."""
        return list(map(word_spans, texts))


@dataclass(frozen=True, slots=True)
class EncoderPieces(EncoderLayers):
    """The tokenizer's subwords as words, as the paper used for BERT; special tokens are read and left out."""

    @property
    def unit(self) -> str:
        """A description of the units that are counted."""
        return "pieces of the tokenizer, each taken for a word"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Return the subwords as the vocabulary writes them, in the order of `piece_states`."""
        reader = self.encoder.tokenizer
        return [list(reader.tokens(t.ids[t.words >= 0])) for t in reader.encode(texts)]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the states of every subword in every layer, float32 [layers, subwords, d]."""
        return self.encoder.piece_states(texts).values

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the character span of each subword."""
        tokens = self.encoder.tokenizer.encode(texts)
        return [[(int(start), int(end)) for start, end in t.offsets[t.words >= 0]] for t in tokens]


class TableWords(StaticLayers):
    """Words that a static table has: the null of every contextual measure."""

    @property
    def unit(self) -> str:
        """A description of the units that are counted."""
        return "words that the table has"

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Split each sentence into words; None for a word that the table lacks or has as zeros."""
        written = [[text[start:end] for start, end in word_spans(text)] for text in texts]
        distinct = sorted({word for words in written for word in words})
        vectors, known = self.table.word_vectors(distinct)
        usable = {word for word, ok in zip(distinct, known & vectors.any(axis=1), strict=True) if ok}
        return [[word if word in usable else None for word in words] for words in written]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return each word's vector, float32 [1, words, d]."""
        written = [text[start:end] for text in texts for start, end in word_spans(text)]
        return self.table.word_vectors(written)[0][None]

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Words as they are written."""
        return list(map(word_spans, texts))
