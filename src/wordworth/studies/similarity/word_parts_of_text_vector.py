"""`TextUnits`: the words (or tokens) of a text, with the part that each has in the text's vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.measures.cosine_decomposition import grouped_rows
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.models.pooling import SentenceHead
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.token_contributions import TokenParts, token_parts
from wordworth.studies.word_vectors_by_layer import Units
from wordworth.text.word_boundaries import Span
from wordworth.text.word_boundaries import words as word_spans


@dataclass(frozen=True, slots=True)
class TextUnits:
    """The units of one text in order: either its words or its tokens, and in both cases the special tokens.

    Attributes:
        text: the text as the encoder reads it, its prompt included.
        names: each word as it is written in the text; pieces and special tokens as the vocabulary spells them.
        spans: start and end of each unit in the characters of the text; (0, 0) for a special token.
        is_special: whether each unit is a special token.
        tokens: int64 [units], number of tokens of each unit; the tokens of a unit follow each other.
        states: float32 [tokens, width of a state], the states that are pooled.
        vector: float64 [width], the text's vector.
        parts: float64 [units, width], the units' parts of the vector, which add up to it; None if the vector is not a
            sum over tokens.
    """

    text: str
    names: tuple[str, ...]
    spans: tuple[Span, ...]
    is_special: tuple[bool, ...]
    tokens: Integers
    states: NDArray[np.float32]
    vector: Floats
    parts: Floats | None

    @property
    def forms(self) -> tuple[str, ...]:
        """The words or tokens (units) as they are compared between texts: without case, except special tokens."""
        return tuple(
            name if special else name.casefold() for name, special in zip(self.names, self.is_special, strict=True)
        )

    def vectors_without_each(self, head: SentenceHead) -> Floats:
        """Return the text's vector without the states of each word or token (unit) in turn, float64 [units, width].

        The remaining states are pooled as if they were the whole text. A row is NaN if no state remains.

        Args:
            head: the encoder's pooling and the layers above it.
        """
        groups = torch.arange(len(self.names)).repeat_interleave(torch.from_numpy(self.tokens))
        vectors = head.without(torch.from_numpy(self.states), groups, len(self.names))
        return floats(vectors.numpy(force=True))

    def texts_without_each(self) -> Iterator[tuple[int, str]]:
        """Yield (index of a unit, text without this unit) for each unit that is not a special token."""
        for index, ((start, end), special) in enumerate(zip(self.spans, self.is_special, strict=True)):
            if not special:
                before, after = self.text[:start], self.text[end:]
                between_spaces = before.endswith(" ") and after.startswith(" ")
                yield index, before + (after[1:] if between_spaces else after)


def read_units(encoder: TextEncoder, texts: Sequence[str], units: Units) -> list[TextUnits]:
    """Encode texts, and return the units of each.

    Args:
        encoder: an encoder of any pooling.
        texts: texts of any length.
        units: `words` to group tokens by words, `pieces` for each token as a unit.
    """
    group = _words if units == "words" else _pieces
    whole = [encoder.prompt + text for text in texts]
    return [group(encoder, text, each) for text, each in zip(whole, token_parts(encoder, texts), strict=True)]


def _words(encoder: TextEncoder, text: str, read: TokenParts) -> TextUnits:
    """Return the units of a text: each word, with its tokens grouped, is a unit, and so is each special token."""
    starts = np.flatnonzero((read.tokens.words < 0) | (np.diff(read.tokens.words, prepend=-2) != 0))
    unit_of = np.zeros(len(read.tokens), dtype=np.int64)
    unit_of[starts] = 1
    unit_of = unit_of.cumsum() - 1
    spans = word_spans(text)
    words = read.tokens.words[starts]
    return TextUnits(
        text=text,
        names=tuple(
            text[slice(*spans[word])] if word >= 0 else _spelling(encoder, read, int(token))
            for word, token in zip(words, starts, strict=True)
        ),
        spans=tuple(spans[word] if word >= 0 else (0, 0) for word in words),
        is_special=tuple(bool(word < 0) for word in words),
        tokens=np.bincount(unit_of, minlength=len(starts)),
        states=read.states,
        vector=read.vector,
        parts=None if read.parts is None else grouped_rows(read.parts, unit_of, len(starts)),
    )


def _pieces(encoder: TextEncoder, text: str, read: TokenParts) -> TextUnits:
    return TextUnits(
        text=text,
        names=tuple(encoder.tokenizer.tokens(read.tokens.ids)),
        spans=tuple((int(start), int(end)) for start, end in read.tokens.offsets),
        is_special=tuple(bool(word < 0) for word in read.tokens.words),
        tokens=np.ones(len(read.tokens), dtype=np.int64),
        states=read.states,
        vector=read.vector,
        parts=read.parts,
    )


def _spelling(encoder: TextEncoder, read: TokenParts, token: int) -> str:
    return next(iter(encoder.tokenizer.tokens(read.tokens.ids[token : token + 1])))
