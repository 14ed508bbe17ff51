"""Answers of linear span heads on frozen features, by training language, with their scores by SQuAD's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import nn
from torch.nn import functional

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.progress import STILL, Step
from wordworth.studies.languages.bootstrap_interval_columns import Value
from wordworth.studies.languages.correct_by_training_language import weighted_share
from wordworth.studies.languages.question_answering.answer_features import AnswerFeatures
from wordworth.studies.languages.question_answering.first_words_baseline import first_words, most_words
from wordworth.studies.languages.question_answering.questions_by_language import AskedLanguages, Questions
from wordworth.studies.languages.question_answering.squad_scores import MEASURES, squad_scores
from wordworth.studies.languages.question_answering.word_windows import word_windows
from wordworth.studies.languages.scores_by_language import ScoresByLanguage, scores_by_language
from wordworth.studies.study_result_cache import Arrays, FinishedParts
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.tasks.examples import Answer, Labels, span_labels
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.word_boundaries import words
from wordworth.training.loop import Loss
from wordworth.training.probes.train_probe import ProbeLoss, ProbeRun, ProbeTraining, train_probe
from wordworth.training.task_heads.question_answering import SpanHead, SpanInputs

TRAINING = ProbeTraining(rate=3e-3, batch_size=16, passes=40, patience=4, decay=0.5)
HELD_OUT = 10
"""The questions of one training context in so many are held out, to stop the training."""
_NEVER = -1e4


def answer_scores(
    systems: Mapping[str, AnswerFeatures], learner: SpanLearner, finished: FinishedParts
) -> ScoresByLanguage:
    """Train a span head for every system and training language, answer the test questions and score the answers.

    Args:
        systems: name of a system -> features of the words.
        learner: trains and scores the heads.
        finished: cache with the heads that an earlier call has finished.
    """
    return scores_by_language(systems, learner, learner.data, MEASURES[0], finished)


@dataclass(frozen=True)
class SpanLearner:
    """Trains linear heads that predict the first and the last word of an answer, and evaluates their answers.

    Loss and search for the best span are the same as in fine-tuning (`SpanHead`; Devlin et al. 2019, section 4.2).

    Attributes:
        data: the questions of all languages.
        tokenizer: the tokenizer of the model, which `word_windows` requires and does not use.
        draws: number of bootstrap resamples of contexts.
        seed: seed of the study.
    """

    data: AskedLanguages
    tokenizer: TokenizerProtocol
    draws: int
    seed: int
    name, title = "answers", "answers by language"

    def amount(self, train: int) -> int:
        """Return the number of questions that one head learns from, times the number of passes over them.

        The progress step advances by this number when a head is trained. Training questions that are held out for
        early stopping do not count.

        Args:
            train: index of the training language.
        """
        return TRAINING.passes * int((~held_out(self.data.train[train])).sum())

    def predictions(
        self, inputs: AnswerFeatures, train: int, tested: Sequence[int], step: Step, *, shuffled: bool
    ) -> dict[str, ArrayLike]:
        """Train a head on a language, and answer the test questions of other languages with it.

        Args:
            inputs: features of the words.
            train: index of the training language.
            tested: indices of the languages whose test questions are answered.
            step: progress step, advanced after each question of each pass.
            shuffled: whether the training answers are moved to random places of their contexts, as a control.

        Returns:
            Index of each tested language, as text -> the answers to its test questions.
        """
        head, _ = self.trained(inputs.of(train, test=False), train, step, shuffled=shuffled)
        return {str(test): np.array(self._answers(head, inputs.of(test, test=True), test)) for test in tested}

    def trained(
        self, vectors: WordVectors, train: int, step: Step = STILL, *, shuffled: bool = False
    ) -> tuple[nn.Linear, ProbeRun]:
        """Train a head on a language; return the head, and the training's losses on held-out questions.

        Args:
            vectors: features of the words of the training questions.
            train: index of the training language.
            step: progress step, advanced after each question of each pass.
            shuffled: whether the training answers are moved to random places of their contexts, as a control.
        """
        questions, seed = self.data.train[train], seeds.child_seed(self.seed, "languages", "answers", train)
        answers = moved(questions, seeds.child(seed, "shuffled")) if shuffled else questions.answers
        head = nn.Linear(vectors.width, 2, bias=False)  # a bias would be the same for all words
        nn.init.zeros_(head.weight)
        stops = held_out(questions)
        loss = _loss(head, vectors, word_windows(questions, self.tokenizer), answers)
        run = train_probe(head, loss, np.flatnonzero(~stops), np.flatnonzero(stops), TRAINING, seed=seed, step=step)
        return head, run

    def _answers(self, head: nn.Linear, vectors: WordVectors, test: int) -> tuple[str, ...]:
        windows = word_windows(self.data.test[test], self.tokenizer)
        with torch.inference_mode():
            scores = [_scores(head, vectors, [row]).numpy() for row in range(len(windows))]
        decoded = SpanHead(nulls=False).decoded(scores, windows)
        return tuple(decoded.answers())

    def measures(self, predictions: Arrays, test: int) -> dict[str, Value]:
        """Return F1 and exact match of the answers to a language's test questions.

        Args:
            predictions: the answers that `predictions` returned.
            test: index of the language.
        """
        return self._measured(predictions[str(test)].tolist(), test)

    def constant(self, test: int) -> dict[str, Value]:
        """Return F1 and exact match of a baseline that answers with the first words of the context.

        The number of words is the one with the best F1 on the source language's training questions (`most_words`).

        Args:
            test: index of the language.
        """
        return self._measured(first_words(self.data.test[test], most_words(self.data.train[0])), test)

    def _measured(self, answers: Sequence[str], test: int) -> dict[str, Value]:
        scores = squad_scores(self.data.test[test].answers, answers)
        return {name: weighted_share(self._weights[test], of) for name, of in zip(MEASURES, scores.T, strict=True)}

    @cached_property
    def _weights(self) -> list[Floats]:
        """How often each test question is in each resample of contexts, float64 [draws, questions], by language."""
        return [
            item_weights(len(test), self.draws, seeds.child(self.seed, "languages", "draws"), test.contexts)
            for test in self.data.test
        ]


def held_out(questions: Questions) -> np.ndarray:
    """Return a mask of the training questions held out for early stopping, bool [n].

    All questions about every tenth context are held out.
    """
    _, number = np.unique(questions.contexts, return_inverse=True)
    stops: np.ndarray = number % HELD_OUT == HELD_OUT - 1
    return stops


def moved(questions: Questions, rng: np.random.Generator) -> Labels:
    """Return random answers as a control: as many words as the first gold answer, at random places of the contexts.

    Args:
        questions: the questions.
        rng: source of randomness.
    """
    answers = []
    for context, gold in zip(questions.context_texts, questions.answers, strict=True):
        spans = words(context)
        length = min(max(len(words(gold[0].text)), 1), len(spans))
        first = int(rng.integers(len(spans) - length + 1))
        start, end = spans[first][0], spans[first + length - 1][1]
        answers.append((Answer(context[start:end], start),))
    return span_labels(answers)


def _loss(head: nn.Linear, vectors: WordVectors, windows: SpanInputs, answers: Labels) -> ProbeLoss:
    spans = SpanHead(nulls=False)
    gold = spans.targets(answers, windows)

    def loss(rows: Integers, generator: torch.Generator | None) -> Loss:  # noqa: ARG001 - without dropout
        return spans.loss(_scores(head, vectors, rows), gold, windows, rows)

    return loss


def _scores(head: nn.Linear, vectors: WordVectors, rows: Sequence[int] | Integers) -> torch.Tensor:
    """Return the scores of tokens as the start and as the end of an answer, float32 [tokens of the windows, 2].

    The first token of a window stands for the question; no answer starts or ends there.

    Args:
        head: the linear head.
        vectors: features of the words of all questions' contexts.
        rows: indices of the questions whose windows are scored.
    """
    states = [vectors.sentence(row)[:, 0] for row in rows]
    scores = head(torch.from_numpy(np.concatenate(states)).float())
    parts = torch.split(scores, [len(each) for each in states])
    return torch.cat([functional.pad(part, (0, 0, 1, 0), value=_NEVER) for part in parts])
