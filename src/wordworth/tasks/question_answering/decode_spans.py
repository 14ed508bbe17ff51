"""From the scores of starts and ends to answers (Devlin et al. 2019, `run_squad.py`, `write_predictions`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.squad import best_threshold, overlap_f1
from wordworth.measures.weighted_sums import Floats
from wordworth.tasks.question_answering.text_alignment import ContextWords
from wordworth.tasks.question_answering.windows import SpanWindows
from wordworth.tasks.task import Answers
from wordworth.text.windows import Span

Scores = Sequence[NDArray[np.floating]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingSettings:
    """How spans are chosen; the values of `run_squad.py`.

    Attributes:
        best: so many starts and so many ends of a window are considered, and so many answers of a question kept.
        longest: the most pieces of an answer.
        text: the exact characters by offsets, or the original's alignment of letters.
    """

    best: int = 20
    longest: int = 30
    text: Literal["offsets", "original"] = "offsets"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that was considered: its text, its first character and start + end score."""

    text: str
    start: int
    score: float


@dataclass(frozen=True, slots=True)
class Decoded:
    """The answers to q questions.

    Attributes:
        candidates: of each question, best first, each text once. Where no span can be one (an empty context, an
            empty question) there is one without text at -1: `run_squad.py` answers "empty" in an empty context, a word
            that nobody wrote.
        null: float64 [q], the score of no answer: the smallest of its windows' (first start + first end).
    """

    candidates: tuple[tuple[Candidate, ...], ...]
    null: Floats

    @property
    def null_score(self) -> Floats:
        """float64 [q]: by how much the score of no answer exceeds the best answer's; `na_probs` of SQuAD 2.0.

        inf where no span can be an answer.
        """
        best = [some[0].score if some[0].text else -np.inf for some in self.candidates]
        return self.null - np.array(best, dtype=np.float64)

    def answers(self, threshold: float | None = None) -> list[str]:
        """Each question's best answer; "" where its doubt exceeds a threshold.

        A higher threshold takes no answer away; inf gives all of them and -inf none. Where no span can be an answer
        (an empty context or question) it is "" at every threshold.
        """
        best = [some[0].text for some in self.candidates]
        if threshold is None:
            return best
        return ["" if doubt > threshold else text for text, doubt in zip(best, self.null_score, strict=True)]

    def probabilities(self, question: int, *, null: bool) -> Floats:
        """float64 [candidates (+ 1)]: the softmax of their scores, no answer last among them where `null`."""
        scores = [candidate.score for candidate in self.candidates[question]]
        shifted = np.array([*scores, *([self.null[question]] if null else [])], dtype=np.float64)
        weights = np.exp(shifted - shifted.max())
        return np.asarray(weights / weights.sum())


_NO_ANSWER = (Candidate("", -1, 0.0),)


def decode(windows: SpanWindows, starts: Scores, ends: Scores, settings: DecodingSettings | None = None) -> Decoded:
    """The answers that a model's scores say.

    Of each window the best starts meet the best ends; a span counts if both lie in the context, the start has the most
    context in this very window, the end does not come before it, and it is short enough.

    Args:
        windows: n windows over q questions.
        starts: n arrays [tokens of the window], the logits of an answer's first token.
        ends: likewise, of its last token.
        settings: how spans are chosen.

    Raises:
        ValueError: scores of another number of windows or tokens, or one that is not a number.
    """
    _check(windows, starts, ends)
    chosen = settings or DecodingSettings()
    null = np.array([float(one[0]) + float(other[0]) for one, other in zip(starts, ends, strict=True)])
    firsts = np.searchsorted(windows.questions, np.arange(len(windows.asked)))
    candidates = [_candidates(windows, question, starts, ends, chosen) for question in range(len(windows.asked))]
    smallest = np.minimum.reduceat(null, firsts) if len(null) else null
    return Decoded(tuple(candidates), smallest)


def tuned_threshold(decoded: Decoded, gold: Answers) -> tuple[float, float]:
    """The best F1 in percent that withholding answers can reach on these questions, and the threshold that reaches it.

    -inf where it is best to answer nothing (the official search names 0 there, which would not).
    """
    texts = [[answer.text for answer in answers] for answers in gold]
    best = decoded.answers()
    scores = np.array([overlap_f1(one, said) if one else 0.0 for one, said in zip(texts, best, strict=True)])
    answerable = np.array([bool(one) for one in texts], dtype=np.bool_)
    found, threshold = best_threshold(scores, decoded.null_score, answerable, np.array([bool(said) for said in best]))
    nothing = 100 * np.count_nonzero(~answerable) / len(answerable)
    return found, threshold if found > nothing else -np.inf


def _candidates(
    windows: SpanWindows, question: int, starts: Scores, ends: Scores, settings: DecodingSettings
) -> tuple[Candidate, ...]:
    if not len(windows.asked[question]):
        return _NO_ANSWER
    shown, mine = windows.best_shown(question), windows.of_question(question)
    found = [
        _spans(starts[window], ends[window], _Shown(windows, window, shown == place), settings)
        for place, window in enumerate(mine)
    ]
    pieces = np.concatenate([spans for spans, _ in found])
    scores = np.concatenate([some for _, some in found])
    texts = _Texts(windows, question, settings)
    kept: dict[str, Candidate] = {}
    for row in np.argsort(-scores, kind="stable"):
        first, last = int(pieces[row, 0]), int(pieces[row, 1])
        text = texts.text(first, last)
        if text and text not in kept:
            kept[text] = Candidate(text, texts.characters(first, last)[0], float(scores[row]))
        if len(kept) == settings.best:
            break
    return tuple(kept.values()) or _NO_ANSWER


@dataclass(frozen=True, slots=True)
class _Shown:
    """A window, and for each piece of the context whether this is the window that shows it best, bool [pieces]."""

    windows: SpanWindows
    window: int
    best: NDArray[np.bool_]

    @property
    def span(self) -> Span:
        start, end = self.windows.spans[self.window]
        return int(start), int(end)

    @property
    def begins(self) -> int:
        return self.windows.begin(self.window)


def _spans(
    starts: NDArray[np.floating], ends: NDArray[np.floating], shown: _Shown, settings: DecodingSettings
) -> tuple[NDArray[np.int64], Floats]:
    """The spans of one window that count, int64 [m, 2] pieces of the context, and their scores, float64 [m]."""
    low, high = shown.span
    begins = shown.begins
    first = _largest(starts, settings.best) - begins
    last = _largest(ends, settings.best) - begins
    first = first[(first >= 0) & (first < high - low)]
    first = first[shown.best[low + first]]
    last = last[(last >= 0) & (last < high - low)]
    length = last[None, :] - first[:, None] + 1
    i, j = np.nonzero((length >= 1) & (length <= settings.longest))
    scores = starts[begins + first[i]].astype(np.float64) + ends[begins + last[j]].astype(np.float64)
    return np.stack([first[i], last[j]], axis=1) + low, scores


def _largest(scores: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """The places of the largest scores, largest first, the earlier of equals first."""
    return np.argsort(-scores, kind="stable")[:count]


class _Texts:
    """The text of a span of pieces of one context."""

    def __init__(self, windows: SpanWindows, question: int, settings: DecodingSettings) -> None:
        context = int(windows.context_of[question])
        self.names, self.whole = windows.names, windows.texts[context]
        self.offsets, self.ids = windows.contexts[context].offsets, windows.contexts[context].ids
        original = settings.text == "original"
        self.words = ContextWords(self.whole, lowercase=self.names.lowercase) if original else None

    def characters(self, first: int, last: int) -> Span:
        return int(self.offsets[first, 0]), int(self.offsets[last, 1])

    def text(self, first: int, last: int) -> str:
        start, end = self.characters(first, last)
        if self.words is None:
            return self.whole[start:end]
        pieces = [self.names.token(int(piece)) for piece in self.ids[first : last + 1]]
        return self.words.original(pieces, start, end)


def _check(windows: SpanWindows, starts: Scores, ends: Scores) -> None:
    lengths = windows.lengths.tolist()
    given = [[len(one) for one in side] for side in (starts, ends)]
    if given != [lengths, lengths]:
        raise ValueError(f"{len(windows)} windows need as many arrays of scores, each as long as its window")
    if not all(np.isfinite(one).all() for one in _all(starts, ends)):
        raise ValueError("a score is not a finite number: this run has diverged")


def _all(starts: Scores, ends: Scores) -> Iterator[NDArray[np.floating]]:
    yield from starts
    yield from ends
