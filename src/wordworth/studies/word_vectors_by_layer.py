"""`LayerReader`: compute the vector of every word (or subword) of a text in every layer of a model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent
from wordworth.text.word_boundaries import Span
from wordworth.text.word_boundaries import words as word_spans

if TYPE_CHECKING:
    from wordworth.models.length_batching import LengthReport
    from wordworth.models.text_encoder import TextEncoder

Units = Literal["words", "pieces"]
Pooling = Literal["mean", "first", "last"]
"""How the vectors of a word's subwords become one: their mean, the first or the last."""
LastLayer = Literal["after", "before"]
Text = str | Sequence[str]
"""A text, or the words of a sentence."""
Forms = list[str | None]
"""The units of one text in order; None for a unit without a vector."""


@dataclass(frozen=True, kw_only=True)
class LayerReader(ABC):
    """A reader that runs a model over texts and returns the vector of each unit (word or subword) in every layer.

    Attributes:
        name: the name under which the model was loaded.
        layers: the number of layers, including the input layer.
        width: the dimension of a vector.
        unit: a phrase that says what the units are, such as `words, each the mean of its pieces`.
        dtype: the data type that the model computes in.
        last_layer_note: where the vectors of the last layer of a pre-norm model (GPT-2) are from: `before the final
            norm` or `after the final norm`; empty for other models.
    """

    name: str
    layers: int
    width: int
    unit: str
    dtype: str = "float32"
    last_layer_note: str = ""

    def lengths(self, texts: Sequence[Text]) -> LengthReport | None:  # noqa: ARG002 - of models with a window
        """Return how many texts are longer than the model's window; None for a model without a window."""
        return None

    @abstractmethod
    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Return the units (words or subwords) of each text as strings, in order; None for a unit without a vector."""

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the character span of each unit (word or subword) of each text."""
        return list(map(word_spans, texts))

    @abstractmethod
    def vectors(self, texts: Sequence[Text]) -> NDArray[np.float32]:
        """Return the vectors of all units (words or subwords) of all texts, end to end, float32 [layers, units, d].

        Vectors of unknown words are all zeros.
        """


_POOLED = {"mean": "the mean of its pieces", "first": "its first piece", "last": "its last piece"}
_MANY_UNKNOWN = 0.02
"""Share of unknown subwords from which there is a warning."""
_NOTES = {"after_final_norm": "after the final norm", "before_final_norm": "before the final norm"}


@dataclass(frozen=True, kw_only=True)
class EncoderLayers(LayerReader):
    """A reader of word vectors from an encoder, each pooled from a word's subwords; special tokens are left out."""

    encoder: TextEncoder
    pooling: Pooling = "mean"

    @classmethod
    def of(cls, encoder: TextEncoder, pooling: Pooling = "mean", unit: str = "") -> Self:
        """Return the reader of an encoder.

        Args:
            encoder: the encoder.
            pooling: how the states of a word's subwords become one vector.
            unit: a phrase that says what the units are; "" for a phrase that names words and their pooling.
        """
        config = encoder.model.config
        return cls(
            name=encoder.name,
            layers=encoder.depth + 1,
            width=encoder.model.width,
            unit=unit or f"words, each {_POOLED[pooling]}",
            dtype=encoder.dtype,
            last_layer_note="" if getattr(config, "norm", "post") == "post" else _NOTES[config.last_layer],  # type: ignore[attr-defined]  # every body with a `norm` has it
            encoder=encoder,
            pooling=pooling,
        )

    def lengths(self, texts: Sequence[Text]) -> LengthReport | None:
        """Return how many texts are longer than the encoder's window; such texts are encoded in overlapping windows."""
        tokenizer = self.encoder.tokenizer
        strings = tokenizer.encode([text for text in texts if isinstance(text, str)])
        split_texts = tokenizer.encode_words([text for text in texts if not isinstance(text, str)])
        return self.encoder.lengths([*strings, *split_texts])

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Return the words of each text, in lower case for an uncased model; None for a word without subwords."""
        lower = self.encoder.tokenizer.lowercase
        units: list[Forms] = []
        for text, tokens in zip(texts, self.encoder.tokenizer.encode(texts), strict=True):
            written = _words(text)
            pieces = np.bincount(tokens.words[tokens.words >= 0], minlength=len(written))
            forms = (word.lower() if lower else word for word in written)
            units.append([form if count else None for form, count in zip(forms, pieces, strict=True)])
        return units

    def vectors(self, texts: Sequence[Text]) -> NDArray[np.float32]:
        """Return the vector of every word in every layer, pooled from its subwords, float32 [layers, words, d]."""
        strings = [text for text in texts if isinstance(text, str)]
        if len(strings) == len(texts):
            return self.encoder.states(strings, pooling=self.pooling).values
        return self.encoder.word_states(texts, pooling=self.pooling).values


class EncoderPieces(EncoderLayers):
    """A reader of subword vectors from an encoder, as in Ethayarajh (2019); special tokens are left out."""

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Return the subwords of each text as the vocabulary spells them."""
        reader = self.encoder.tokenizer
        return [list(reader.tokens(t.ids[t.words >= 0])) for t in reader.encode(texts)]

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the character span of each subword of each text."""
        tokens = self.encoder.tokenizer.encode(texts)
        return [[(int(start), int(end)) for start, end in t.offsets[t.words >= 0]] for t in tokens]

    def vectors(self, texts: Sequence[Text]) -> NDArray[np.float32]:
        """Return the vector of every subword in every layer, float32 [layers, subwords, d]."""
        return self.encoder.piece_states([text for text in texts if isinstance(text, str)]).values


@dataclass(frozen=True, kw_only=True)
class StaticLayers(LayerReader):
    """A reader of a static table: one layer, in which a word has the same vector in every context."""

    table: StaticTable

    @classmethod
    def of(cls, table: StaticTable) -> Self:
        """Return the reader of a static table of word vectors."""
        return cls(name=table.name, layers=1, width=table.width, unit="words that the table has", table=table)

    def forms(self, texts: Sequence[str]) -> list[Forms]:
        """Return the words of each text; None for a word without a vector, or whose vector is all zeros."""
        words = [_words(text) for text in texts]
        distinct = sorted({word for written in words for word in written})
        vectors, known = self.table.word_vectors(distinct)
        usable = {word for word, ok in zip(distinct, known & vectors.any(axis=1), strict=True) if ok}
        return [[word if word in usable else None for word in written] for written in words]

    def vectors(self, texts: Sequence[Text]) -> NDArray[np.float32]:
        """Return the vector of each word, float32 [1, words, d]; zeros for unknown words."""
        return self.table.word_vectors([word for text in texts for word in _words(text)])[0][None]


def _words(text: Text) -> Sequence[str]:
    return [text[start:end] for start, end in word_spans(text)] if isinstance(text, str) else text


def open_reader(
    model: str,
    pooling: Pooling = "mean",
    *,
    units: Units = "words",
    dtype: DtypeOption = "float32",
    last_layer: LastLayer = "after",
) -> LayerReader:
    """Load a model and return a reader of its layers.

    Args:
        model: a catalogue name, a folder or a file.
        pooling: how the states of a word's subwords become one vector.
        units: whether an encoder's vectors are of words or of subwords (`pieces`).
        dtype: data type of an encoder's computation.
        last_layer: whether the vectors of the last layer are from `before` or `after` the final norm of the model.

    Raises:
        BadInput: there is no model of that name, or its files are damaged.
    """
    norm = f"{last_layer}_final_norm"
    loaded = load(model, dtype=dtype, last_layer=norm, hash_whole=True)  # type: ignore[arg-type]  # one of two
    if isinstance(loaded, StaticTable):
        return StaticLayers.of(loaded)
    encoder = loaded.for_inference()
    if units == "pieces":
        return EncoderPieces.of(encoder, unit="pieces of the tokenizer, each taken for a word")
    return EncoderLayers.of(encoder, pooling)


def span_vectors(
    model: LayerReader, sentences: Sequence[Sequence[str]], spans: Iterable[tuple[int, int, int]]
) -> NDArray[np.float32]:
    """Return the mean vector of each span of words, float32 [spans, layers, d].

    Args:
        model: the reader of the sentences.
        sentences: the words of each sentence.
        spans: each span as (index of the sentence, index of its first word, index after its last word).
    """
    values = model.vectors(sentences)
    offset: Integers = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    ends = np.array([(offset[sentence] + start, offset[sentence] + stop) for sentence, start, stop in spans])
    vectors = values[:, ends[:, 0]].transpose(1, 0, 2).copy()
    for row in np.flatnonzero(ends[:, 1] - ends[:, 0] > 1):
        vectors[row] = values[:, ends[row, 0] : ends[row, 1]].mean(axis=1)
    return vectors


def require_unique_names(names: Iterable[str], *, called: str, mend: str) -> None:
    """Check that no two models or data sets have the same name, as names identify the rows of a record.

    Args:
        names: the names to check.
        called: plural noun for the named things, such as `models`, for the error message.
        mend: advice on how to remove a duplicate, for the error message.

    Raises:
        BadInput: a name occurs twice.
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            raise BadInput(f"two {called} are called {name!r}", mend=mend)
        seen.add(name)


def unknown_pieces(encoder: TextEncoder, texts: Sequence[str]) -> Iterator[Finding]:
    """Yield a warning if 2 % or more of the texts' subwords are unknown to a model's tokenizer.

    This happens, for example, to texts in a script that the tokenizer's vocabulary lacks.
    """
    share = encoder.unknown_rate(list(dict.fromkeys(texts)))
    if share >= _MANY_UNKNOWN:
        text = (
            f"{encoder.name} does not know {percent(share)} of the pieces of these texts: all of these look alike to "
            "it. A model that was made for this language or script may know them."
        )
        yield Finding(f"warning.unknown_pieces.{encoder.name}", text, {"share": share})


def long_texts(name: str, lengths: LengthReport | None) -> Iterator[Finding]:
    """Yield a warning if texts were longer than the model's window.

    Args:
        name: name of the model.
        lengths: the report on the lengths of the texts; None for a model without a window.
    """
    if lengths is not None and lengths.windowed:
        text = (
            f"{name}: {count_of(lengths.windowed, 'text')} of {lengths.texts:,} did not fit into {lengths.limit} "
            "tokens and went in overlapping windows, so that words there saw only the text near them."
        )
        numbers = {"windowed": lengths.windowed, "texts": lengths.texts, "limit": lengths.limit}
        yield Finding(f"warning.long_texts.{name}", text, numbers)
