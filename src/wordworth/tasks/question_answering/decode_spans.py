"""Decode scores of start and end tokens into answers, as `run_squad.py` does (Devlin et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.squad import best_threshold, overlap_f1
from wordworth.measures.weighted_sums import Floats
from wordworth.tasks.question_answering.pieces_to_text import ContextWords
from wordworth.tasks.question_answering.windows import SpanWindows
from wordworth.tasks.task import Answers
from wordworth.text.windows import Span

Scores = Sequence[NDArray[np.floating]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingSettings:
    """How answer spans are chosen from scores; the defaults are the values of `run_squad.py`.

    Attributes:
        best: the maximal number of start tokens tried in each window, of end tokens tried in each window, and of
            answers kept for each question: one number for all three.
        longest: the maximal length of an answer in pieces (subword tokens).
        text: how the pieces of a span become text. `offsets` takes the characters of the context at the pieces'
            offsets; `original` finds the letters of the pieces in the context again, as `run_squad.py` does.
    """

    best: int = 20
    longest: int = 30
    text: Literal["offsets", "original"] = "offsets"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer to a question.

    Attributes:
        text: the answer.
        start: the index of the answer's first character in the context.
        score: the start score of the answer's first token plus the end score of its last token.
    """

    text: str
    start: int
    score: float


@dataclass(frozen=True, slots=True)
class Decoded:
    """The possible answers to q questions, decoded from a model's scores.

    Attributes:
        candidates: for each question its possible answers, best first, without duplicate texts. If no span is possible
            (an empty context or question), there is one candidate, with the text "" and the start -1. (`run_squad.py`
            would give the answer "empty" there, which the context does not contain.)
        no_answer_score: float64 [q], the score of giving no answer: the start score plus the end score of the first
            token of a window, minimised over the windows of the question.
    """

    candidates: tuple[tuple[Candidate, ...], ...]
    no_answer_score: Floats

    @property
    def no_answer_margin(self) -> Floats:
        """The score of giving no answer minus the score of the best answer, float64 [questions].

        The difference is infinite if no answer span is possible. SQuAD 2.0 calls it `na_probs`.
        """
        best = [candidates[0].score if candidates[0].text else -np.inf for candidates in self.candidates]
        return self.no_answer_score - np.array(best, dtype=np.float64)

    def answers(self, threshold: float | None = None) -> list[str]:
        """Return the best answer to each question, or "" if the score of giving no answer is too high.

        If no span is possible (an empty context or question), the answer is "" at every threshold.

        Args:
            threshold: the largest `no_answer_margin` at which a question gets an answer; None or inf answers all
                questions, -inf none.
        """
        best = [candidates[0].text for candidates in self.candidates]
        if threshold is None:
            return best
        return [
            "" if no_answer_margin > threshold else text
            for text, no_answer_margin in zip(best, self.no_answer_margin, strict=True)
        ]

    def probabilities(self, question: int, *, null: bool) -> Floats:
        """Return the softmax over the scores of a question's possible answers, float64 [answers].

        Args:
            question: the index of the question.
            null: whether giving no answer counts as one more answer, which is then the last.
        """
        scores = [candidate.score for candidate in self.candidates[question]]
        shifted = np.array([*scores, *([self.no_answer_score[question]] if null else [])], dtype=np.float64)
        weights = np.exp(shifted - shifted.max())
        return np.asarray(weights / weights.sum())


_EMPTY = (Candidate("", -1, 0.0),)


def decode(windows: SpanWindows, starts: Scores, ends: Scores, settings: DecodingSettings | None = None) -> Decoded:
    """Decode a model's scores of start and end tokens into the possible answers to each question.

    In each window the best starts are combined with the best ends. A span is valid if its start and end are in the
    context, the end is not before the start, and the span has at most `settings.longest` pieces. If several windows
    hold the start of a span, only the window with the most context around the start gives the span.

    Args:
        windows: n windows over q questions.
        starts: n arrays [tokens of the window], the logits of an answer's first token.
        ends: n arrays [tokens of the window], the logits of an answer's last token.
        settings: how spans are chosen.

    Raises:
        ValueError: the number of windows or tokens differs, or a score is not a finite number.
    """
    _check(windows, starts, ends)
    chosen = settings or DecodingSettings()
    null = np.array(
        [float(start_scores[0]) + float(end_scores[0]) for start_scores, end_scores in zip(starts, ends, strict=True)]
    )
    firsts = np.searchsorted(windows.questions, np.arange(len(windows.question_ids)))
    candidates = [_candidates(windows, question, starts, ends, chosen) for question in range(len(windows.question_ids))]
    smallest = np.minimum.reduceat(null, firsts) if len(null) else null
    return Decoded(tuple(candidates), smallest)


def tuned_threshold(decoded: Decoded, gold: Answers) -> tuple[float, float]:
    """Return (F1 in percent, threshold): the threshold of `no_answer_margin` that gives the best F1 on these questions.

    Questions whose `no_answer_margin` exceeds the threshold get no answer. The threshold is -inf if giving no answer at
    all is best. (In this case SQuAD's official search reports the threshold 0, at which some questions would still get
    an answer.)
    """
    texts = [[answer.text for answer in answers] for answers in gold]
    best = decoded.answers()
    scores = np.array(
        [
            overlap_f1(gold_texts, prediction) if gold_texts else 0.0
            for gold_texts, prediction in zip(texts, best, strict=True)
        ]
    )
    answerable = np.array([bool(gold_texts) for gold_texts in texts], dtype=np.bool_)
    best_f1, threshold = best_threshold(
        scores, decoded.no_answer_margin, answerable, np.array([bool(prediction) for prediction in best])
    )
    nothing = 100 * np.count_nonzero(~answerable) / len(answerable)
    return best_f1, threshold if best_f1 > nothing else -np.inf


def _candidates(
    windows: SpanWindows, question: int, starts: Scores, ends: Scores, settings: DecodingSettings
) -> tuple[Candidate, ...]:
    if not len(windows.question_ids[question]):
        return _EMPTY
    best_window, question_windows = windows.window_with_most_context(question), windows.of_question(question)
    window_spans = [
        _spans(starts[window], ends[window], _WindowView(windows, window, best_window == index), settings)
        for index, window in enumerate(question_windows)
    ]
    pieces = np.concatenate([spans for spans, _ in window_spans])
    scores = np.concatenate([window_scores for _, window_scores in window_spans])
    texts = _Texts(windows, question, settings)
    candidates: dict[str, Candidate] = {}
    for row in np.argsort(-scores, kind="stable"):
        first, last = int(pieces[row, 0]), int(pieces[row, 1])
        text = texts.text(first, last)
        if text and text not in candidates:
            candidates[text] = Candidate(text, texts.characters(first, last)[0], float(scores[row]))
        if len(candidates) == settings.best:
            break
    return tuple(candidates.values()) or _EMPTY


@dataclass(frozen=True, slots=True)
class _WindowView:
    """A window over the context of one question.

    Attributes:
        windows: the windows of all questions.
        window: the index of the window among the windows of all questions.
        best: bool [pieces of the whole context], whether this window is the one with the most context around the piece.
    """

    windows: SpanWindows
    window: int
    best: NDArray[np.bool_]

    @property
    def span(self) -> Span:
        start, end = self.windows.spans[self.window]
        return int(start), int(end)

    @property
    def context_start(self) -> int:
        return self.windows.context_start(self.window)


def _spans(
    starts: NDArray[np.floating], ends: NDArray[np.floating], view: _WindowView, settings: DecodingSettings
) -> tuple[NDArray[np.int64], Floats]:
    """Return (spans, scores) of the valid spans of one window.

    Args:
        starts: float [tokens of the window], the logits of an answer's first token.
        ends: float [tokens of the window], the logits of an answer's last token.
        view: the window.
        settings: how spans are chosen.

    Returns:
        int64 [m, 2], the indices of the first and the last piece of each span in the context; and float64 [m].
    """
    low, high = view.span
    context_start = view.context_start
    first = _largest(starts, settings.best) - context_start
    last = _largest(ends, settings.best) - context_start
    first = first[(first >= 0) & (first < high - low)]
    first = first[view.best[low + first]]
    last = last[(last >= 0) & (last < high - low)]
    length = last[None, :] - first[:, None] + 1
    i, j = np.nonzero((length >= 1) & (length <= settings.longest))
    scores = starts[context_start + first[i]].astype(np.float64) + ends[context_start + last[j]].astype(np.float64)
    return np.stack([first[i], last[j]], axis=1) + low, scores


def _largest(scores: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Return the indices of the `count` largest scores, largest first; of equal scores the earlier comes first."""
    return np.argsort(-scores, kind="stable")[:count]


class _Texts:
    """A converter of spans of pieces (subword tokens) of one question's context into text."""

    def __init__(self, windows: SpanWindows, question: int, settings: DecodingSettings) -> None:
        context = int(windows.context_of[question])
        self.tokenizer, self.whole = windows.tokenizer, windows.texts[context]
        self.offsets, self.ids = windows.contexts[context].offsets, windows.contexts[context].ids
        original = settings.text == "original"
        self.words = ContextWords(self.whole, lowercase=self.tokenizer.lowercase) if original else None

    def characters(self, first: int, last: int) -> Span:
        return int(self.offsets[first, 0]), int(self.offsets[last, 1])

    def text(self, first: int, last: int) -> str:
        start, end = self.characters(first, last)
        if self.words is None:
            return self.whole[start:end]
        pieces = [self.tokenizer.token(int(piece)) for piece in self.ids[first : last + 1]]
        return self.words.original(pieces, start, end)


def _check(windows: SpanWindows, starts: Scores, ends: Scores) -> None:
    lengths = windows.lengths.tolist()
    score_lengths = [[len(scores) for scores in side] for side in (starts, ends)]
    if score_lengths != [lengths, lengths]:
        raise ValueError(f"{len(windows)} windows need as many arrays of scores, each as long as its window")
    if not all(np.isfinite(scores).all() for scores in _all(starts, ends)):
        raise ValueError("a score is not a finite number: this run has diverged")


def _all(starts: Scores, ends: Scores) -> Iterator[NDArray[np.floating]]:
    yield from starts
    yield from ends
