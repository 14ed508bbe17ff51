"""Windows over a context too long to be read at once, each behind the question (Devlin et al. 2019, `run_squad.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.tasks.question_answering.pair_template import PairFrame
from wordworth.tasks.task import Answer, Answers, Examples
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.windows import Span, max_context

Ids = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSettings:
    """How long contexts are read; the values of `run_squad.py`.

    Attributes:
        limit: the most tokens of a window, question and special tokens included.
        stride: how many pieces a window starts after the one before it.
        question: a question is cut to so many pieces.
    """

    limit: int = 384
    stride: int = 128
    question: int = 64

    def __post_init__(self) -> None:
        if min(self.limit, self.stride, self.question) < 1:
            raise BadInput("limit, stride and question must be 1 or more", where=str(self), mend="raise them")


@dataclass(frozen=True, slots=True)
class SpanWindows:
    """n windows over the contexts of q questions, by question, each question's from left to right.

    Attributes:
        questions: int64 [n], the question of each window; every question has one at least.
        spans: int64 [n, 2], first and past-the-last piece of the context that it shows.
        asked: the pieces of each question, cut.
        texts, contexts: each context as written and as pieces without special tokens, each once.
        context_of: int64 [q], the context of each question.
        frame: the special tokens around a question and its window.
        names: of the tokenizer, to spell a piece out.
    """

    questions: Ids
    spans: Ids
    asked: tuple[Ids, ...]
    texts: tuple[str, ...]
    contexts: tuple[Tokens, ...]
    context_of: Ids
    frame: PairFrame
    names: TokenizerProtocol

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def lengths(self) -> Ids:
        """int64 [n]: tokens of each window, question and special tokens included."""
        return np.asarray(self._asked_lengths + self.spans[:, 1] - self.spans[:, 0] + self.frame.marks)

    @property
    def begins(self) -> Ids:
        """int64 [n]: the place in each window at which its context begins."""
        return np.asarray(len(self.frame.before) + self._asked_lengths + len(self.frame.between))

    def begin(self, window: int) -> int:
        """The place in one window at which its context begins."""
        return len(self.frame.before) + len(self.asked[self.questions[window]]) + len(self.frame.between)

    @property
    def _asked_lengths(self) -> Ids:
        return np.array([len(pieces) for pieces in self.asked], dtype=np.int64)[self.questions]

    def tokens(self, window: int) -> Tokens:
        """One window as a model reads it; offsets and words are those of the context, (0, 0) and -1 before it."""
        question = int(self.questions[window])
        context = self.contexts[self.context_of[question]]
        start, end = (int(bound) for bound in self.spans[window])
        ids, segments = self.frame.around(self.asked[question], context.ids[start:end])
        before, after = self.begin(window), len(self.frame.after)
        offsets = np.pad(context.offsets[start:end], ((before, after), (0, 0)))
        words = np.pad(context.words[start:end], (before, after), constant_values=-1)
        return Tokens(ids=ids, segments=segments, offsets=offsets, words=words)

    def of_question(self, question: int) -> range:
        """The windows of a question."""
        first, last = np.searchsorted(self.questions, [question, question + 1])
        return range(int(first), int(last))

    def best_shown(self, question: int) -> Ids:
        """int64 [pieces of the context]: which of its windows shows each piece with the most context around it."""
        covering = [(int(start), int(end)) for start, end in self.spans[list(self.of_question(question))]]
        return max_context(covering, len(self.contexts[self.context_of[question]])).astype(np.int64)

    def gold(self, answers: Answers) -> Ids:
        """int64 [n, 2]: the first and the last token of the first answer whose place is known, in each window.

        (0, 0), the first token, where the window lacks a part of it or the question has no answer, for SQuAD 1.1 too.
        (-1, -1) in all windows of a question whose answers' places are unknown: leave these out.

        Args:
            answers: the gold answers of each of the q questions.
        """
        places = np.array([self._place(question, given) for question, given in enumerate(answers)], dtype=np.int64)
        first, last = places.reshape(-1, 2)[self.questions].T
        start, end = self.spans.T
        whole = (first >= start) & (last < end)
        shown = np.stack([first - start, last - start], axis=1) + self.begins[:, None]
        return np.where(whole[:, None], shown, np.where(first == _UNKNOWN, -1, 0)[:, None])

    def _place(self, question: int, answers: Sequence[Answer]) -> Span:
        """The answer's first and last piece; negative where there is none or its place is unknown."""
        if not answers:
            return _NONE, _NONE
        offsets = self.contexts[self.context_of[question]].offsets
        for answer in answers:
            if answer.start >= 0:
                found = piece_span(offsets, answer.start, answer.start + len(answer.text))
                if found is not None:
                    return found
        return _UNKNOWN, _UNKNOWN


_NONE, _UNKNOWN = -1, -2


def span_windows(
    examples: Examples, tokenizer: TokenizerProtocol, settings: WindowSettings | None = None
) -> SpanWindows:
    """The windows of questions (`first`) over their contexts (`second`).

    Every text is read once, however many questions a context has. The paper's `run_squad.py` reads words apart at
    white space first, which changes no piece.

    Raises:
        BadInput: the limit leaves no room for a context beside a question.
    """
    chosen, frame = settings or WindowSettings(), PairFrame.of(tokenizer)
    if examples.second is None:
        raise BadInput("questions without contexts", mend="give each question the text that answers it")
    texts = tuple(dict.fromkeys(examples.second))
    number = {text: place for place, text in enumerate(texts)}
    context_of = np.array([number[text] for text in examples.second], dtype=np.int64)
    contexts = tuple(_bare(tokens, tokenizer) for tokens in tokenizer.encode(texts))
    asked = tuple(ids[: chosen.question] for ids in tokenizer.ids(examples.first, special=False))
    spans = [
        covering(len(contexts[context]), _room(chosen, frame, len(pieces)), chosen.stride)
        for context, pieces in zip(context_of, asked, strict=True)
    ]
    counts = [len(some) for some in spans]
    flat = np.array([span for some in spans for span in some], dtype=np.int64).reshape(-1, 2)
    return SpanWindows(
        np.repeat(np.arange(len(asked)), counts), flat, asked, texts, contexts, context_of, frame, tokenizer
    )


def covering(length: int, room: int, stride: int) -> list[Span]:
    """Spans of at most `room` pieces that together show all, each `stride` after the one before; the last may be short.

    >>> covering(500, 370, 128)
    [(0, 370), (128, 498), (256, 500)]
    """
    spans = [(0, min(room, length))]
    while spans[-1][1] < length:
        start = spans[-1][0] + min(stride, room)
        spans.append((start, min(start + room, length)))
    return spans


def piece_span(offsets: NDArray[np.int32], start: int, end: int) -> Span | None:
    """The first and the last piece that share a character with `[start, end)`; None if there is none.

    The paper's way maps an answer to the words that white space parts and then narrows it to the pieces whose text
    equals the answer's; with exact offsets this is the same span, and a word's part where an answer is one.
    """
    first = int(np.searchsorted(offsets[:, 1], start, side="right"))
    last = int(np.searchsorted(offsets[:, 0], end, side="left")) - 1
    return (first, last) if first <= last else None


def _bare(tokens: Tokens, tokenizer: TokenizerProtocol) -> Tokens:
    """A text's tokens without the special ones around it."""
    inner = slice(tokenizer.prefix, len(tokens) - tokenizer.suffix)
    return Tokens(tokens.ids[inner], tokens.segments[inner], tokens.offsets[inner], tokens.words[inner])


def _room(settings: WindowSettings, frame: PairFrame, asked: int) -> int:
    room = settings.limit - asked - frame.marks
    if room < 1:
        what = f"a window of {settings.limit} tokens has no room for a context beside a question of {asked} pieces"
        raise BadInput(what, mend="raise the limit, or cut questions shorter")
    return room
