"""Test examples as a reader wants to see them: what the kept run is surest of, right and wrong, in their own text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.chunk_f1 import Chunks, chunks, scheme
from wordworth.measures.metrics import errors
from wordworth.measures.squad import overlap_f1
from wordworth.tasks.label_text import decided, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wordworth.tasks.task import Task
    from wordworth.training.task_heads.base import TaskPredictions

EXAMPLES = {
    "which": "wrong: surest and wrong; right: surest and right; unsure: hardly decided",
    "row": "number of the example in the test part, from 0",
    "text": "the text; of a question its context",
    "second": "the other text of a pair; the question of a choice or of a span",
    "gold": "the label given",
    "said": "what the kept run says",
    "confidence": "probability that it gives to what it says; null where it gives none",
    "marks": "JSON: [start, end, side, type] of characters of the text, side gold, said or both",
}
MOST = 12
_TEXT = 1_200
_UNSURE = 6


def example_rows(task: Task, said: TaskPredictions) -> list[dict[str, Any]]:
    """At most 12 of what is wrong, 6 of what is right and 6 of what was hardly decided, the clearest first.

    A text that stands in the test part several times is shown once, and of one context one question.
    """
    wrong, sure = _errors(task, said), _confidence(task, said)
    order = np.lexsort((np.arange(len(sure)), -sure))
    unsure = (row for row in order[::-1] if sure[row] < 1) if _has_confidence(task) else iter(())
    picked = {
        "wrong": _distinct(task, (row for row in order if wrong[row] > _least(task)), MOST),
        "right": _distinct(task, (row for row in order if wrong[row] <= _small(task)), MOST // 2),
        "unsure": _distinct(task, unsure, _UNSURE),
    }
    return [_row(task, said, which, row) for which, rows in picked.items() for row in rows]


def _distinct(task: Task, rows: Iterator[np.int64], most: int) -> list[int]:
    """The first of some test rows, no two of one text."""
    found: dict[tuple[str, str], int] = {}
    while len(found) < most and (row := next(rows, None)) is not None:
        found.setdefault(_text(task, int(task.test[row])), int(row))
    return list(found.values())


def _text(task: Task, row: int) -> tuple[str, str]:
    """What a reader would not read twice: an example's texts, of a question its context alone."""
    first, second = task.examples.first[row], task.examples.second[row] if task.examples.second else ""
    return ("", second) if task.kind == "span" else (first, "" if task.kind == "choice" else second)


def _least(task: Task) -> float:
    return 0.1 if task.kind == "regression" else 0.0


def _small(task: Task) -> float:
    return 0.02 if task.kind == "regression" else 0.0


def _errors(task: Task, said: TaskPredictions) -> NDArray[np.float64]:
    gold = task.gold(task.test)
    if task.kind == "span":
        found = [
            1 - overlap_f1([one.text for one in answers], str(text)) for answers, text in zip(gold, said, strict=True)
        ]
        return np.array(found, dtype=np.float64)
    return np.asarray(errors(gold, said), dtype=np.float64)  # type: ignore[arg-type]  # as the kind has it


def _has_confidence(task: Task) -> bool:
    return task.kind in {"single", "pair", "choice"}


def _confidence(task: Task, said: TaskPredictions) -> NDArray[np.float64]:
    """[n] in 0 to 1; where a kind has none, the size of the error, so that the clearest errors stand first."""
    if _has_confidence(task):
        assert not isinstance(said, tuple)  # noqa: S101 - by the contract of the kind
        shares = np.exp(said - said.max(1, keepdims=True))
        found: NDArray[np.float64] = (shares / shares.sum(1, keepdims=True)).max(1)
        return found
    if task.kind == "tags":
        gold = task.gold(task.test)
        pairs = zip(gold, said, strict=True)
        return np.array([float(np.count_nonzero(np.asarray(one) != other)) for one, other in pairs])
    return _errors(task, said)


def _row(task: Task, said: TaskPredictions, which: str, place: int) -> dict[str, Any]:
    row, examples = int(task.test[place]), task.examples
    gold = task.gold(task.test[place : place + 1])[0]
    text, second = examples.first[row], examples.second[row] if examples.second else ""
    marks: list[tuple[int, int, str, str]] = []
    if task.kind == "span":
        text, second = second, text
        marks = _answer_marks(text, gold, str(said[place]))
    elif examples.words is not None:
        text, marks = " ".join(examples.words[row]), _entity_marks(task, examples.words[row], (gold, said[place]))
    text, marks = _clipped(text, marks)
    return {
        "which": which,
        "row": place,
        "text": text,
        "second": second,
        "gold": written(task, gold, row),
        "said": written(task, decided(task, said[place]), row),
        "confidence": float(_confidence(task, said)[place]) if _has_confidence(task) else None,
        "marks": json.dumps(marks),
    }


def _answer_marks(text: str, gold: Any, said: str) -> list[tuple[int, int, str, str]]:  # noqa: ANN401 - answers
    """Where the first gold answer stands, and where what is said stands nearest to it."""
    places = [(one.start, one.start + len(one.text)) for one in gold if one.start >= 0][:1]
    focus = places[0][0] if places else 0
    starts = [place for place in range(len(text)) if said and text.startswith(said, place)]
    told = [(start, start + len(said)) for start in sorted(starts, key=lambda start: abs(start - focus))[:1]]
    if places == told:
        return [(*place, "both", "answer") for place in places]
    return [(*place, "gold", "answer") for place in places] + [(*place, "said", "answer") for place in told]


def _entity_marks(task: Task, words: tuple[str, ...], sides: tuple[Any, Any]) -> list[tuple[int, int, str, str]]:
    """Where entities stand in the words joined by blanks: on one side, or the same on both."""
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    of = scheme(task.classes)
    found = [set(_spans(chunks([np.asarray(side)], of))) for side in sides]
    marks = []
    for side, some in (("both", found[0] & found[1]), ("gold", found[0] - found[1]), ("said", found[1] - found[0])):
        marks += [(int(starts[a]), int(starts[b]) - 1, side, of.types[kind]) for a, b, kind in some]
    return sorted(marks)


def _spans(found: Chunks) -> list[tuple[int, int, int]]:
    return list(zip(found.start.tolist(), found.end.tolist(), found.kind.tolist(), strict=True))


def _clipped(text: str, marks: list[tuple[int, int, str, str]]) -> tuple[str, list[tuple[int, int, str, str]]]:
    """A long text around its first mark, and the marks that are whole in it."""
    if len(text) <= _TEXT:
        return text, marks
    first = max(0, min((mark[0] for mark in marks), default=0) - _TEXT // 3)
    part = text[first : first + _TEXT]
    before, after = "…" if first else "", "…" if first + _TEXT < len(text) else ""
    moved = [(a - first + len(before), b - first + len(before), side, kind) for a, b, side, kind in marks]
    return before + part + after, [mark for mark in moved if len(before) <= mark[0] and mark[1] <= len(before) + _TEXT]
