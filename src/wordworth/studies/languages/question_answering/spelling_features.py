"""Features of a context's words given a question, without a model: spellings, and whether the question has the words.

The logistic regression of SQuAD's authors used similar features (Rajpurkar et al. 2016, section 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sklearn.feature_extraction import FeatureHasher

from wordworth.representations.tagging_features import features, shape
from wordworth.studies.languages.question_answering.answer_features import (
    Matches,
    end_to_end,
    neighbourhood,
    unique_contexts,
    words_of,
)
from wordworth.studies.languages.question_answering.questions_by_language import AskedLanguages
from wordworth.studies.syntax.treebank_word_vectors import WordVectors

SPELLING, CROSSED = 1024, 512
"""Number of columns of the hashed spelling of a word, and of its shape with each word of the question."""
_BEGINNING = 4
"""Number of letters by which two words match in part."""


class SpellingFeatures:
    """Features of words that need no model, for the questions of several languages.

    The features of a word of a context are:

    * its spelling and the spellings of its neighbours (`tagging_features`), hashed with signs (Weinberger et al. 2009);
    * each pair of its shape and a word of the question, hashed in the same way;
    * for the word and its neighbours, whether the word, or its first letters, are in the question: once as 0 or 1, once
      weighted by how rare they are (inverse document frequency over the contexts).

    Args:
        data: the questions of all languages.
    """

    def __init__(self, data: AskedLanguages) -> None:
        self.data = data

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the features of a language's test questions if `test`, else of its training questions.

        Args:
            language: index of the language.
            test: True for the test questions.
        """
        questions = self.data.part(language, test=test)
        texts, index = unique_contexts(questions)
        contexts = [words_of(text) for text in texts]
        spelled = [_hashed(features(words), SPELLING) for words in contexts]
        weights = rarity(contexts)
        return end_to_end(
            np.concatenate([_question_features(contexts[context], words_of(question), weights), spelled[context]], 1)
            for context, question in zip(index, questions.examples.first, strict=True)
        )


def rarity(contexts: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return each word, and each beginning of a word, in lower case -> how rare it is among contexts, from 0 to 1.

    The rarity of a word is log(contexts / contexts with it) / log(contexts).

    Args:
        contexts: the words of each context.
    """
    counts = Counter(key for words in contexts for key in {key for word in words for key in keys(word)})
    most = np.log(max(len(contexts), 2))
    return {key: float(np.log(len(contexts) / count) / most) for key, count in counts.items()}


def keys(word: str) -> tuple[str, str]:
    """Return a word in lower case, and its first letters, by which different forms of a word match."""
    lower = word.lower()
    return lower, f"{lower[:_BEGINNING]}…"


def matches(context: Sequence[str], question: Sequence[str], weights: Mapping[str, float]) -> Matches:
    """Return whether each word of a context is in the question, float32 [words, 4].

    The columns are: 1 if the whole word is in the question, else 0; this value times the word's weight; 1 if a word of
    the question has the same first letters, else 0; this value times the weight of these letters.

    Args:
        context: the words of the context.
        question: the words of the question.
        weights: word, or beginning of a word, in lower case -> its weight, for all words of the contexts (`rarity`).
    """
    question_keys = {key for word in question for key in keys(word)}
    rows = [
        [float(key in question_keys) * weight for key in keys(word) for weight in (1.0, weights[key])]
        for word in context
    ]
    return np.array(rows, dtype=np.float32)


def _question_features(context: Sequence[str], question: Sequence[str], weights: Mapping[str, float]) -> Matches:
    """Return the features of a context's words that depend on the question, float32 [words, columns]."""
    crossed = _hashed(_crossings(context, question), CROSSED)
    return np.concatenate([neighbourhood(matches(context, question, weights)), crossed], 1)


def _crossings(context: Sequence[str], question: Sequence[str]) -> Iterator[list[str]]:
    question_words = [word.lower() for word in question]
    for word in context:
        form = shape(word)
        yield [f"{each}^{form}" for each in question_words]


def _hashed(rows: Iterator[list[str]], columns: int) -> Matches:
    hasher = FeatureHasher(columns, input_type="string", dtype=np.float32)
    hashed: Matches = hasher.transform(list(rows)).toarray()
    return hashed
