"""Features of a context's words given a question, from the frozen states of an encoder.

Contexts and questions are encoded separately, each once, like the phrases and questions of Seo et al. (2019, arXiv
1906.05807). The features of a word are its state in one layer; the elementwise product of this state with the
question's mean state, by which a linear head can weigh where the two agree; and, in every layer, the cosines of the
word's state with the question.

Fine-tuning reads question and context as one sequence. A linear head on frozen states of such sequences is less
accurate, and each context would be encoded once for each of its questions (`docs/languages-findings.md` has the scores
of both on XQuAD).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.languages.question_answering.answer_features import (
    Matches,
    end_to_end,
    neighbourhood,
    unique_contexts,
    words_of,
)
from wordworth.studies.languages.question_answering.questions_by_language import AskedLanguages, Questions
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.treebank_word_vectors import WordVectors

_SIZE = 0.3
"""Root mean square of the components of states and products; matches are cosines, of at most 1."""
States = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class QuestionStates:
    """The states of some questions and their contexts in every layer, each of length 1.

    Attributes:
        contexts: for each different context float32 [layers, words, width], the states of its words.
        questions: float32 [layers, questions, width], the mean state of each question's words.
        matches: for each question float32 [words of its context, 2 * layers]: in every layer the cosine of a word with
            the nearest word of the question, and its cosine with the question's mean state.
    """

    contexts: list[States]
    questions: States
    matches: list[Matches]

    @classmethod
    def of(cls, encoder: TextEncoder, questions: Questions) -> QuestionStates:
        """Return the states of questions and their contexts.

        Args:
            encoder: the encoder.
            questions: the questions.
        """
        texts, index = unique_contexts(questions)
        contexts, question_words = word_states(encoder, texts), word_states(encoder, questions.examples.first)
        means = unit_or_zero(np.stack([each.mean(1) for each in question_words], 1))
        nearest = [
            np.concatenate([_cosines(contexts[context], words).max(2), _cosines(contexts[context], mean)[:, :, 0]]).T
            for context, words, mean in zip(index, question_words, means.transpose(1, 0, 2)[:, :, None], strict=True)
        ]
        return cls(contexts, means, nearest)

    def arrays(self, layer: int) -> dict[str, NDArray[np.float16]]:
        """Return the arrays from which `joined` computes the features of a layer, each float16.

        The arrays are `contexts` [words of the different contexts, width], `questions` [questions, width] and `matches`
        [words of each question's context, 2 * layers].

        Args:
            layer: number of the layer of `contexts` and `questions`; 0 is the input layer. `matches` are of all layers.
        """
        contexts = np.concatenate([each[layer] for each in self.contexts])
        arrays = {"contexts": contexts, "questions": self.questions[layer], "matches": np.concatenate(self.matches)}
        return {name: each.astype(np.float16) for name, each in arrays.items()}


def word_states(encoder: TextEncoder, texts: Sequence[str]) -> list[States]:
    """Return the states of each text's words in every layer, of length 1, float32 [layers, words, width] each.

    Args:
        encoder: the encoder; a word has the mean of the states of its pieces.
        texts: the texts.
    """
    values = unit_or_zero(encoder.states(texts).values)
    ends = np.cumsum([0, *(len(words_of(text)) for text in texts)])
    return [values[:, start:end] for start, end in pairwise(ends)]


def _cosines(first: States, second: States) -> States:
    """Return the cosine of each of the first states with each of the second, [layers, first, second]."""
    return first @ second.transpose(0, 2, 1)


def joined(questions: Questions, arrays: Mapping[str, NDArray[np.float16]]) -> WordVectors:
    """Return the features of the words of all contexts, question by question.

    Args:
        questions: the questions.
        arrays: `contexts`, `questions` and `matches`, as `QuestionStates.arrays` returns them.
    """
    texts, index = unique_contexts(questions)
    starts = np.cumsum([0, *(len(words_of(text)) for text in texts)])
    ends = np.cumsum([0, *(starts[index + 1] - starts[index])])
    width = arrays["contexts"].shape[1]
    return end_to_end(
        _features(
            arrays["matches"][ends[row] : ends[row + 1]].astype(np.float32),
            arrays["contexts"][starts[context] : starts[context + 1]].astype(np.float32),
            arrays["questions"][row].astype(np.float32) * width**0.5,
        )
        for row, context in enumerate(index)
    )


def _features(matches: Matches, states: States, question: States) -> States:
    sized = states * (_SIZE * states.shape[1] ** 0.5)
    return np.concatenate([neighbourhood(matches), sized, sized * question], 1)


class EncoderFeatures:
    """Features of words from the frozen states of an encoder, for the questions of several languages.

    Args:
        encoder: the frozen encoder.
        data: the questions of all languages.
        layer: number of the layer (0 is the input layer) whose states, and their products with the question's mean
            state, are features; the cosines with the question are from all layers.
        finished: cache with the states that an earlier call has computed.
        system: name of the encoder, for the cache.
    """

    def __init__(
        self, encoder: TextEncoder, data: AskedLanguages, layer: int, finished: FinishedParts, system: str
    ) -> None:
        self.encoder, self.data, self.layer, self.finished, self.system = encoder, data, layer, finished, system

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the features of a language's test questions if `test`, else of its training questions.

        Args:
            language: index of the language.
            test: True for the test questions.
        """
        questions = self.data.part(language, test=test)
        arrays = self.finished.arrays(
            ("states", self.system, self.layer, language, test),
            lambda: QuestionStates.of(self.encoder, questions).arrays(self.layer),
        )
        return joined(questions, arrays)
