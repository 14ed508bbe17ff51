"""Counts of the words whose syntactic head an attention head finds, sentence by sentence.

A map is an attention head read in one of two directions (Clark et al. 2019, section 4.2). Read `from dependent`, the
map predicts as a word's syntactic head the word to which the word attends most; read `to dependent`, the word that
attends most to the word. Special tokens and the word itself are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers
from wordworth.models.encoder_base import Encoder
from wordworth.progress import Step
from wordworth.studies.treebank_sample import PUNCTUATION
from wordworth.studies.word_attention import word_attention
from wordworth.text.tokens import Tokens
from wordworth.text.treebank import ROOT, DependencySentence

Direction = Literal["from dependent", "to dependent"]
DIRECTIONS: tuple[Direction, ...] = ("from dependent", "to dependent")
OFFSETS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
"""Fixed offsets from a word to its syntactic head that the baseline tries, in words."""
ALL = "all"
"""Name of the figure over all relations together, without punctuation."""
NO_MARKER = -2
_POSSESSORS = ("poss", "nmod:poss")
_MARKERS = ("'s", "’s", "'", "’")


@dataclass(frozen=True, slots=True)
class Relations:
    """The syntactic relations whose words are counted, and the words of each relation.

    Attributes:
        names: names of the relations; the first is `ALL`.
        of_sentence: for each sentence bool [words, relations], the relations under which each word is counted.
        markers: for each sentence int64 [words]: for a possessor the index of the 's that counts as a correct head too,
            and `NO_MARKER` for every other word.
    """

    names: tuple[str, ...]
    of_sentence: tuple[NDArray[np.bool_], ...]
    markers: tuple[Integers, ...]

    @classmethod
    def of(cls, sentences: Sequence[DependencySentence], *, subtypes: bool, possessives: bool = False) -> Relations:
        """Collect the syntactic relations of all words of sentences except roots.

        Args:
            sentences: the sentences.
            subtypes: whether a subtype, such as nmod:poss, is a relation of its own.
            possessives: whether the 's after a possessor counts as a correct head too.
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
        """The number of words of each relation in each sentence, int64 [sentences, relations]."""
        return np.array([of_words.sum(0) for of_words in self.of_sentence])


def attachment_counts(
    model: Encoder, tokens: Sequence[Tokens], sentences: Sequence[DependencySentence], relations: Relations, step: Step
) -> Integers:
    """Count the words whose syntactic head each map finds, int64 [sentences, maps, relations].

    A map is an attention head read in one of `DIRECTIONS`; maps are ordered by layer, head and direction. Attention is
    computed batch by batch and not stored.

    Args:
        model: an encoder with attention.
        tokens: the tokens of each sentence.
        sentences: the sentences with their trees.
        relations: relations of these sentences.
        step: progress step, advanced after each sentence.
    """
    counts = []
    for number, attention in enumerate(word_attention(model, tokens, [len(each) for each in sentences], step)):
        predicted, marker = predicted_heads(attention), relations.markers[number]
        counts.append(correct(predicted, sentences[number].heads, relations.of_sentence[number], marker))
    return np.array(counts)


def offset_counts(sentences: Sequence[DependencySentence], relations: Relations) -> Integers:
    """Count the words whose syntactic head is at each of `OFFSETS`, int64 [sentences, offsets, relations].

    An offset is the position of the syntactic head minus the position of the word.
    """
    counts = []
    for sentence, of_words, marker in zip(sentences, relations.of_sentence, relations.markers, strict=True):
        at_offsets = np.arange(len(sentence)) + np.array(OFFSETS)[:, None]
        counts.append(correct(at_offsets, sentence.heads, of_words, marker))
    return np.array(counts)


def predicted_heads(attention: NDArray[np.float32]) -> Integers:
    """Return the index of the syntactic head that each map predicts for each word, int64 [maps, words].

    A map is an attention head read from dependent to syntactic head, or the other way round.

    Args:
        attention: float32 [heads, words, words], a row for each word that attends.
    """
    others = attention.copy()
    words = np.arange(attention.shape[1])
    others[:, words, words] = -1
    both = np.stack([others.argmax(2), others.argmax(1)], axis=1)
    return both.reshape(-1, attention.shape[1])


def correct(predicted: Integers, heads: Integers, of_words: NDArray[np.bool_], markers: Integers) -> Integers:
    """Count the syntactic heads that each map predicts correctly in one sentence, int64 [maps, relations].

    A map is an attention head read from dependent to syntactic head, or the other way round.

    Args:
        predicted: int64 [maps, words], the index of the syntactic head that each map predicts.
        heads: int64 [words], the index of the true syntactic head; `ROOT` for the root, which is counted under no
            relation.
        of_words: bool [words, relations], the relations under which each word is counted.
        markers: int64 [words], the index of another syntactic head that counts as correct for the word's relation, but
            not for `ALL`; `NO_MARKER` for words without one.
    """
    right = (predicted == heads) & (heads != ROOT)
    counts: Integers = (right.astype(np.float32) @ of_words.astype(np.float32)).astype(np.int64)
    if (markers != NO_MARKER).any():
        marked = ((predicted == markers) & ~right).astype(np.float32) @ of_words.astype(np.float32)
        counts[:, 1:] += marked[:, 1:].astype(np.int64)
    return counts


def _markers(sentence: DependencySentence) -> Integers:
    """Return for each possessor before an 's the index of the 's, and `NO_MARKER` for other words, int64 [words]."""
    following = (*sentence.words[1:], "")
    pairs = zip(sentence.relations, following, strict=True)
    flags = [relation in _POSSESSORS and after.lower() in _MARKERS for relation, after in pairs]
    return np.where(flags, np.arange(1, len(sentence) + 1), NO_MARKER)
