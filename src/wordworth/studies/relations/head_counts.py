"""How often each attention head points from a word to its syntactic head, sentence by sentence.

A map is the attention of one head, read in one of two directions (Clark et al. 2019, section 4.2): `from dependent`
takes for each word the word that it attends to most, `to dependent` the word that attends most to it. Special tokens
and the word itself are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers
from wordworth.models.encoder import Encoder
from wordworth.progress import Step
from wordworth.studies.treebank_sample import PUNCTUATION
from wordworth.studies.word_attention import word_attention
from wordworth.text.encoding import Tokens
from wordworth.text.treebank import ROOT, DependencySentence

Direction = Literal["from dependent", "to dependent"]
DIRECTIONS: tuple[Direction, ...] = ("from dependent", "to dependent")
OFFSETS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
"""Offsets of the baseline, in words from the dependent."""
ALL = "all"
"""All relations together, without those to punctuation."""
NO_MARKER = -2
_POSSESSORS = ("poss", "nmod:poss")
_MARKERS = ("'s", "’s", "'", "’")


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations that are counted, and the words that count for them in each sentence.

    Attributes:
        names: `ALL`, then each relation.
        of_sentence: per sentence, bool [words, relations]: the relations that each word counts for.
        markers: per sentence, int64 [words]: the 's that is right for a possessor too, `NO_MARKER` for other words.
    """

    names: tuple[str, ...]
    of_sentence: tuple[NDArray[np.bool_], ...]
    markers: tuple[Integers, ...]

    @classmethod
    def of(cls, sentences: Sequence[DependencySentence], *, subtypes: bool, possessives: bool = False) -> Relations:
        """Return the relations of all words but roots.

        Args:
            sentences: the sentences.
            subtypes: whether subtypes are told from their relation.
            possessives: whether the 's after a possessor is right too.
        """
        written = [sentence.relations if subtypes else sentence.universal_relations for sentence in sentences]
        names = (ALL, *sorted({name for of_one in written for name in of_one} - {"root"}))
        columns = {name: column for column, name in enumerate(names)}
        flags = []
        for sentence, of_one in zip(sentences, written, strict=True):
            of_words = np.zeros((len(sentence), len(names)), dtype=np.bool_)
            for word in np.flatnonzero(sentence.heads != ROOT):
                if (column := columns.get(of_one[word])) is not None:
                    of_words[word, column] = True
                of_words[word, 0] = of_one[word].partition(":")[0] != PUNCTUATION
            flags.append(of_words)
        markers = tuple(
            _markers(sentence) if possessives else np.full(len(sentence), NO_MARKER) for sentence in sentences
        )
        return cls(names, tuple(flags), markers)

    @property
    def totals(self) -> Integers:
        """int64 [sentences, relations]: number of words."""
        return np.array([of_words.sum(0) for of_words in self.of_sentence])


def head_counts(
    model: Encoder, tokens: Sequence[Tokens], sentences: Sequence[DependencySentence], relations: Relations, step: Step
) -> Integers:
    """Count the words whose head each map finds, int64 [sentences, maps, relations].

    Maps are in the order of layers, heads and `DIRECTIONS`. Attention maps are read batch by batch and not kept.

    Args:
        model: an encoder with attention.
        tokens: the tokens of each sentence.
        sentences: the sentences.
        relations: relations of these sentences.
        step: progress step, advanced after each sentence.
    """
    counts = []
    for number, attention in enumerate(word_attention(model, tokens, [len(each) for each in sentences], step)):
        predicted, marker = predicted_heads(attention), relations.markers[number]
        counts.append(correct(predicted, sentences[number].heads, relations.of_sentence[number], marker))
    return np.array(counts)


def offset_counts(sentences: Sequence[DependencySentence], relations: Relations) -> Integers:
    """Count the words whose head is at each offset, int64 [sentences, offsets, relations]."""
    counts = []
    for sentence, of_words, marker in zip(sentences, relations.of_sentence, relations.markers, strict=True):
        at_offsets = np.arange(len(sentence)) + np.array(OFFSETS)[:, None]
        counts.append(correct(at_offsets, sentence.heads, of_words, marker))
    return np.array(counts)


def predicted_heads(attention: NDArray[np.float32]) -> Integers:
    """Return the head that each map gives each word, int64 [maps, words].

    Args:
        attention: float32 [heads, words, words], a row for each word that attends.
    """
    others = attention.copy()
    words = np.arange(attention.shape[1])
    others[:, words, words] = -1
    both = np.stack([others.argmax(2), others.argmax(1)], axis=1)
    return both.reshape(-1, attention.shape[1])


def correct(predicted: Integers, heads: Integers, of_words: NDArray[np.bool_], markers: Integers) -> Integers:
    """Count right predictions, int64 [maps, relations].

    Args:
        predicted: int64 [maps, words].
        heads: int64 [words], `ROOT` for the root, which counts for no relation.
        of_words: bool [words, relations].
        markers: int64 [words], another word that is right in the word's relation, though not in `ALL`.
    """
    right = (predicted == heads) & (heads != ROOT)
    counts: Integers = (right.astype(np.float32) @ of_words.astype(np.float32)).astype(np.int64)
    if (markers != NO_MARKER).any():
        marked = ((predicted == markers) & ~right).astype(np.float32) @ of_words.astype(np.float32)
        counts[:, 1:] += marked[:, 1:].astype(np.int64)
    return counts


def _markers(sentence: DependencySentence) -> Integers:
    """Return for each possessor that 's follows the index of that word, else `NO_MARKER`; int64 [words]."""
    following = (*sentence.words[1:], "")
    pairs = zip(sentence.relations, following, strict=True)
    flags = [relation in _POSSESSORS and after.lower() in _MARKERS for relation, after in pairs]
    return np.where(flags, np.arange(1, len(sentence) + 1), NO_MARKER)
