"""Contexts as windows of words, so that a head for answer spans can score words instead of subwords (pieces)."""

from __future__ import annotations

import numpy as np

from wordworth.studies.languages.question_answering.answer_features import unique_contexts
from wordworth.studies.languages.question_answering.questions_by_language import Questions
from wordworth.tasks.question_answering.pair_template import PairTemplate
from wordworth.tasks.question_answering.windows import SpanWindows
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens
from wordworth.text.word_boundaries import words
from wordworth.training.task_heads.question_answering import SpanInputs, WindowTokens


def word_windows(questions: Questions, tokenizer: TokenizerProtocol) -> SpanInputs:
    """Return one window for each question: a token that stands for the question, and every word of its context.

    Args:
        questions: the questions.
        tokenizer: any tokenizer; the windows need one as a field, but do not use it.
    """
    texts, index = unique_contexts(questions)
    contexts = tuple(map(_words, texts))
    nothing, rows = np.zeros(0, np.int64), np.arange(len(questions))
    sizes = np.array([len(context) for context in contexts])[index]
    windows = SpanWindows(
        questions=rows,
        spans=np.stack([np.zeros_like(sizes), sizes], 1),
        question_ids=(np.zeros(1, np.int64),) * len(questions),
        texts=tuple(texts),
        contexts=contexts,
        context_of=index,
        frame=PairTemplate(nothing, nothing, nothing, (0, 0, 0, 0, 0)),
        tokenizer=tokenizer,
    )
    offsets = np.arange(len(questions) + 1)
    return SpanInputs(WindowTokens(windows), offsets, np.zeros(len(questions), dtype=bool), windows=windows)


def _words(text: str) -> Tokens:
    """Return the words of a text in the form of tokens."""
    offsets = np.array(words(text), dtype=np.int32)
    zeros = np.zeros(len(offsets), np.int64)
    return Tokens(ids=zeros, segments=zeros, offsets=offsets, words=np.arange(len(offsets), dtype=np.int32))
