"""`AnswerFeatures`: features of a context's words given a question, and helpers of the classes that compute them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers
from wordworth.studies.languages.question_answering.questions_by_language import Questions
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.text.word_boundaries import words
from wordworth.training.probes.scratch_array import scratch_array

BESIDE, AROUND = (-4, -3, -2, -1, 1, 2, 3, 4), (5, 10, 20)
"""Places beside a word whose matches it has too, and numbers of words on either side over which it has their mean."""
Matches = NDArray[np.float32]


class AnswerFeatures(Protocol):
    """Features of the words of contexts, question by question, in several languages."""

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the features of a language's test questions if `test`, else of its training questions.

        Args:
            language: index of the language.
            test: True for the test questions.

        Returns:
            Vectors of a single layer, with a row for each word of each question's context. Each question with its
            context is a sentence of the `WordVectors`.
        """


def words_of(text: str) -> list[str]:
    """Return the words of a text; every punctuation mark and every ideograph is a word."""
    return [text[start:end] for start, end in words(text)]


def unique_contexts(questions: Questions) -> tuple[list[str], Integers]:
    """Return the different contexts of some questions, and each question's index into these contexts, int64 [n]."""
    _, first, index = np.unique(questions.contexts, return_index=True, return_inverse=True)
    return [questions.context_texts[row] for row in first], index


def neighbourhood(matches: Matches) -> Matches:
    """Return features of how well each word, and the words around it, match a question.

    Words beyond the ends of a context match nothing.

    Args:
        matches: float32 [words, m], the matches of each word.

    Returns:
        float32 [words, 12 * m]: the matches of the word itself, the matches of the words at 8 offsets from it
        (`BESIDE`), and the mean matches over windows of 5, 10 and 20 words to each side (`AROUND`).
    """
    count, most = len(matches), AROUND[-1]
    wide = np.pad(matches, ((most, most), (0, 0)))
    beside = [wide[most + offset : most + offset + count] for offset in BESIDE]
    sums = np.concatenate([np.zeros((1, matches.shape[1])), np.cumsum(wide, 0, dtype=np.float64)])
    positions = np.arange(count) + most
    means = [(sums[positions + reach + 1] - sums[positions - reach]) / (2 * reach + 1) for reach in AROUND]
    return np.concatenate([matches, *beside, *means], 1).astype(np.float32)


def end_to_end(blocks: Iterable[Matches]) -> WordVectors:
    """Concatenate the features of the words of each question's context, as float16 vectors of a single layer.

    Args:
        blocks: for each question float32 [words of its context, width].
    """
    halves = [block.astype(np.float16) for block in blocks]
    ends = np.cumsum([0, *map(len, halves)])
    flat = scratch_array((1, int(ends[-1]), halves[0].shape[1]))
    np.concatenate(halves, out=flat[0])
    return WordVectors(flat, ends)
