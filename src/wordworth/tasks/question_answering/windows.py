"""Split contexts that are too long for a model into windows, each after its question, as `run_squad.py` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.tasks.question_answering.pair_template import PairTemplate
from wordworth.tasks.task import Answer, Answers, Examples
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens
from wordworth.text.windows import Span, max_context, spans

Ids = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSettings:
    """Sizes of the windows into which long contexts are split; the defaults are the values of `run_squad.py`.

    Attributes:
        limit: the maximal number of tokens in a window, question and special tokens included.
        stride: the distance, in pieces (subword tokens), from the start of one window to the start of the next.
        question: the maximal number of pieces in a question; longer questions are cut.
    """

    limit: int = 384
    stride: int = 128
    question: int = 64

    def __post_init__(self) -> None:
        if min(self.limit, self.stride, self.question) < 1:
            raise BadInput("limit, stride and question must be 1 or more", where=str(self), mend="raise them")


@dataclass(frozen=True, slots=True)
class SpanWindows:
    """The n windows into which the contexts of q questions are split, ordered by question and from left to right.

    Attributes:
        questions: int64 [n], the index of each window's question; every question has at least one window.
        spans: int64 [n, 2], the index in the context of each window's first piece, and the index after its last piece.
        question_ids: [q] the token ids of each question, cut to `WindowSettings.question` pieces.
        texts: the distinct contexts.
        contexts: the pieces (subword tokens) of each distinct context, without special tokens.
        context_of: int64 [q], the index of each question's context in `texts` and `contexts`.
        frame: the special tokens around the question and the part of its context in a window.
        tokenizer: the tokenizer, which knows the text of each piece.
    """

    questions: Ids
    spans: Ids
    question_ids: tuple[Ids, ...]
    texts: tuple[str, ...]
    contexts: tuple[Tokens, ...]
    context_of: Ids
    frame: PairTemplate
    tokenizer: TokenizerProtocol

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def lengths(self) -> Ids:
        """The number of tokens in each window, question and special tokens included, int64 [n]."""
        return np.asarray(self._asked_lengths + self.spans[:, 1] - self.spans[:, 0] + self.frame.num_special)

    @property
    def context_starts(self) -> Ids:
        """The position in each window at which its part of the context begins, as a token index, int64 [n]."""
        return np.asarray(len(self.frame.before) + self._asked_lengths + len(self.frame.between))

    def context_start(self, window: int) -> int:
        """Return the position in a window at which its part of the context begins, as a token index."""
        return len(self.frame.before) + len(self.question_ids[self.questions[window]]) + len(self.frame.between)

    @property
    def _asked_lengths(self) -> Ids:
        return np.array([len(pieces) for pieces in self.question_ids], dtype=np.int64)[self.questions]

    def tokens(self, window: int) -> Tokens:
        """Return the tokens of a window as a model reads them: the question, a part of the context and special tokens.

        Tokens of the context have the character offsets and the index of their word in the context; the other tokens
        have the offsets (0, 0) and the word -1.

        Args:
            window: the index of the window.
        """
        question = int(self.questions[window])
        context = self.contexts[self.context_of[question]]
        start, end = (int(bound) for bound in self.spans[window])
        ids, segments = self.frame.around(self.question_ids[question], context.ids[start:end])
        before, after = self.context_start(window), len(self.frame.after)
        offsets = np.pad(context.offsets[start:end], ((before, after), (0, 0)))
        words = np.pad(context.words[start:end], (before, after), constant_values=-1)
        return Tokens(ids=ids, segments=segments, offsets=offsets, words=words)

    def of_question(self, question: int) -> range:
        """Return the range of the indices of a question's windows."""
        first, last = np.searchsorted(self.questions, [question, question + 1])
        return range(int(first), int(last))

    def window_with_most_context(self, question: int) -> Ids:
        """Return, for each piece of a question's context, the window with the most text around it, int64 [pieces].

        The amount of text around a piece is the smaller of two numbers: the pieces before it and the pieces after it in
        the window. Windows are numbered from the question's first window, 0.
        """
        covering = [(int(start), int(end)) for start, end in self.spans[list(self.of_question(question))]]
        return max_context(covering, len(self.contexts[self.context_of[question]])).astype(np.int64)

    def gold(self, answers: Answers) -> Ids:
        """Return the positions of the first and the last token of the gold answer in each window, int64 [n, 2].

        Of several gold answers the first one with a known position is taken. If a window does not hold all of this
        answer, or the question has no answer, the positions are (0, 0), the first token of the window, for SQuAD 1.1
        too. If a question has answers but none with a known position, the positions are (-1, -1): the caller must leave
        such windows out of training.

        Args:
            answers: the gold answers of each of the q questions.
        """
        answer_pieces = np.array(
            [self._answer_pieces(question, gold_answers) for question, gold_answers in enumerate(answers)],
            dtype=np.int64,
        )
        first, last = answer_pieces.reshape(-1, 2)[self.questions].T
        start, end = self.spans.T
        whole = (first >= start) & (last < end)
        in_window = np.stack([first - start, last - start], axis=1) + self.context_starts[:, None]
        return np.where(whole[:, None], in_window, np.where(first == _UNKNOWN, -1, 0)[:, None])

    def _answer_pieces(self, question: int, answers: Sequence[Answer]) -> Span:
        """Return the indices in the context of the first and the last piece of the first gold answer that has some.

        Both are `_NONE` if the question has no answer, and `_UNKNOWN` if no answer has a known position.
        """
        if not answers:
            return _NONE, _NONE
        offsets = self.contexts[self.context_of[question]].offsets
        for answer in answers:
            if answer.start >= 0:
                pieces = piece_span(offsets, answer.start, answer.start + len(answer.text))
                if pieces is not None:
                    return pieces
        return _UNKNOWN, _UNKNOWN


_NONE, _UNKNOWN = -1, -2


def span_windows(
    examples: Examples, tokenizer: TokenizerProtocol, settings: WindowSettings | None = None
) -> SpanWindows:
    """Split the contexts of questions into windows, each of which holds the question and a part of the context.

    Every distinct context is tokenized once, however many questions it has. `run_squad.py` splits words at white space
    first, which gives the same pieces.

    Args:
        examples: the questions (`first`) and their contexts (`second`).
        tokenizer: the tokenizer of the model that reads the windows.
        settings: the sizes of the windows; None takes the defaults.

    Raises:
        BadInput: the limit leaves no room for a context after a question.
    """
    chosen, frame = settings or WindowSettings(), PairTemplate.of(tokenizer)
    if examples.second is None:
        raise BadInput("questions without contexts", mend="give each question the text that answers it")
    texts = tuple(dict.fromkeys(examples.second))
    number = {text: index for index, text in enumerate(texts)}
    context_of = np.array([number[text] for text in examples.second], dtype=np.int64)
    contexts = tuple(_without_special_tokens(tokens, tokenizer) for tokens in tokenizer.encode(texts))
    question_ids = tuple(ids[: chosen.question] for ids in tokenizer.ids(examples.first, special=False))
    rooms = [_room(chosen, frame, len(pieces)) for pieces in question_ids]
    spans_of = [
        spans(len(contexts[context]), room, max(room - chosen.stride, 0), fill_last=False)
        for context, room in zip(context_of, rooms, strict=True)
    ]
    counts = [len(question_spans) for question_spans in spans_of]
    flat = np.array([span for question_spans in spans_of for span in question_spans], dtype=np.int64).reshape(-1, 2)
    return SpanWindows(
        np.repeat(np.arange(len(question_ids)), counts),
        flat,
        question_ids,
        texts,
        contexts,
        context_of,
        frame,
        tokenizer,
    )


def piece_span(offsets: NDArray[np.int32], start: int, end: int) -> Span | None:
    """Return (first, last), the indices of the pieces that overlap a span of characters; None if no piece does.

    `run_squad.py` maps an answer to words split at white space, then narrows it to the pieces whose text equals the
    answer's. Exact offsets give the same span, also for an answer that is part of a word.

    Args:
        offsets: int32 [pieces, 2], the index of each piece's first character, and the index after its last character.
        start: the index of the span's first character.
        end: the index after the span's last character.
    """
    first = int(np.searchsorted(offsets[:, 1], start, side="right"))
    last = int(np.searchsorted(offsets[:, 0], end, side="left")) - 1
    return (first, last) if first <= last else None


def _without_special_tokens(tokens: Tokens, tokenizer: TokenizerProtocol) -> Tokens:
    """Return the tokens of a text without the special tokens before and after it."""
    inner = slice(tokenizer.prefix, len(tokens) - tokenizer.suffix)
    return Tokens(tokens.ids[inner], tokens.segments[inner], tokens.offsets[inner], tokens.words[inner])


def _room(settings: WindowSettings, frame: PairTemplate, question_length: int) -> int:
    room = settings.limit - question_length - frame.num_special
    if room < 1:
        what = f"{settings.limit} tokens leave no room for a context after a question of {question_length} pieces"
        raise BadInput(what, mend="raise the limit, or cut questions shorter")
    return room
