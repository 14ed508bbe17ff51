"""Test examples for the report: the best run's most confident right and wrong predictions, with their texts."""

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
    "which": "wrong: most confident and wrong; right: most confident and right; unsure: least confident",
    "row": "index of the example in the test part, from 0",
    "text": "the text; the context of a question",
    "second": "the other text of a pair; the question of a choice or of a span",
    "gold": "gold label",
    "predicted": "prediction of the best run",
    "confidence": "predicted probability of the prediction; null for kinds without probabilities",
    "marks": "JSON: [start, end, side, type] in characters of the text; side is gold, predicted or both",
}
MOST = 12
_TEXT = 1_200
_UNSURE = 6


def example_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Pick at most 12 wrong, 6 right and 6 undecided predictions, the clearest first.

    A text that occurs several times in the test part is shown once, and a context with one question only.
    """
    wrong, confidence = _errors(task, predictions), _confidence(task, predictions)
    order = np.lexsort((np.arange(len(confidence)), -confidence))
    unsure = (row for row in order[::-1] if confidence[row] < 1) if _has_confidence(task) else iter(())
    picked = {
        "wrong": _distinct(task, (row for row in order if wrong[row] > _least(task)), MOST),
        "right": _distinct(task, (row for row in order if wrong[row] <= _small(task)), MOST // 2),
        "unsure": _distinct(task, unsure, _UNSURE),
    }
    return [_row(task, predictions, which, row) for which, rows in picked.items() for row in rows]


def _distinct(task: Task, rows: Iterator[np.int64], most: int) -> list[int]:
    """Return the first `most` of the test rows whose texts differ."""
    row_of: dict[tuple[str, str], int] = {}
    while len(row_of) < most and (row := next(rows, None)) is not None:
        row_of.setdefault(_text(task, int(task.test[row])), int(row))
    return list(row_of.values())


def _text(task: Task, row: int) -> tuple[str, str]:
    """Return what a reader need not read twice: an example's texts, or the context alone for a question."""
    first, second = task.examples.first[row], task.examples.second[row] if task.examples.second else ""
    return ("", second) if task.kind == "span" else (first, "" if task.kind == "choice" else second)


def _least(task: Task) -> float:
    return 0.1 if task.kind == "regression" else 0.0


def _small(task: Task) -> float:
    return 0.02 if task.kind == "regression" else 0.0


def _errors(task: Task, predictions: TaskPredictions) -> NDArray[np.float64]:
    gold = task.gold(task.test)
    if task.kind == "span":
        losses = [
            1 - overlap_f1([answer.text for answer in answers], str(text))
            for answers, text in zip(gold, predictions, strict=True)
        ]
        return np.array(losses, dtype=np.float64)
    return np.asarray(errors(gold, predictions), dtype=np.float64)  # type: ignore[arg-type]  # as the kind has it


def _has_confidence(task: Task) -> bool:
    return task.kind in {"single", "pair", "choice"}


def _confidence(task: Task, predictions: TaskPredictions) -> NDArray[np.float64]:
    """Return the confidence of each prediction, [n] from 0 to 1; for kinds without one, the size of the error."""
    if _has_confidence(task):
        assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
        shares = np.exp(predictions - predictions.max(1, keepdims=True))
        highest: NDArray[np.float64] = (shares / shares.sum(1, keepdims=True)).max(1)
        return highest
    if task.kind == "tags":
        gold = task.gold(task.test)
        pairs = zip(gold, predictions, strict=True)
        return np.array([float(np.count_nonzero(np.asarray(true) != tags)) for true, tags in pairs])
    return _errors(task, predictions)


def _row(task: Task, predictions: TaskPredictions, which: str, index: int) -> dict[str, Any]:
    row, examples = int(task.test[index]), task.examples
    gold = task.gold(task.test[index : index + 1])[0]
    text, second = examples.first[row], examples.second[row] if examples.second else ""
    marks: list[tuple[int, int, str, str]] = []
    if task.kind == "span":
        text, second = second, text
        marks = _answer_marks(text, gold, str(predictions[index]))
    elif examples.words is not None:
        sides = gold, predictions[index]
        text, marks = " ".join(examples.words[row]), _entity_marks(task, examples.words[row], sides)
    text, marks = _clipped(text, marks)
    return {
        "which": which,
        "row": index,
        "text": text,
        "second": second,
        "gold": written(task, gold, row),
        "predicted": written(task, decided(task, predictions[index]), row),
        "confidence": float(_confidence(task, predictions)[index]) if _has_confidence(task) else None,
        "marks": json.dumps(marks),
    }


def _answer_marks(text: str, gold: Any, predicted: str) -> list[tuple[int, int, str, str]]:  # noqa: ANN401 - answers
    """Mark the first gold answer, and the occurrence of the predicted text that is nearest to it."""
    true = [(answer.start, answer.start + len(answer.text)) for answer in gold if answer.start >= 0][:1]
    focus = true[0][0] if true else 0
    starts = [start for start in range(len(text)) if predicted and text.startswith(predicted, start)]
    nearest = [(start, start + len(predicted)) for start in sorted(starts, key=lambda start: abs(start - focus))[:1]]
    if true == nearest:
        return [(*span, "both", "answer") for span in true]
    return [(*span, "gold", "answer") for span in true] + [(*span, "predicted", "answer") for span in nearest]


def _entity_marks(task: Task, words: tuple[str, ...], sides: tuple[Any, Any]) -> list[tuple[int, int, str, str]]:
    """Mark the entities of the gold tags, of the predicted tags, or of both, in the words joined by spaces."""
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    of = scheme(task.classes)
    gold, predicted = (set(_spans(chunks([np.asarray(side)], of))) for side in sides)
    marks = []
    for side, spans in (("both", gold & predicted), ("gold", gold - predicted), ("predicted", predicted - gold)):
        marks += [(int(starts[a]), int(starts[b]) - 1, side, of.types[kind]) for a, b, kind in spans]
    return sorted(marks)


def _spans(entities: Chunks) -> list[tuple[int, int, int]]:
    return list(zip(entities.start.tolist(), entities.end.tolist(), entities.kind.tolist(), strict=True))


def _clipped(text: str, marks: list[tuple[int, int, str, str]]) -> tuple[str, list[tuple[int, int, str, str]]]:
    """Clip a long text around its first mark, and keep the marks that are entirely inside."""
    if len(text) <= _TEXT:
        return text, marks
    first = max(0, min((mark[0] for mark in marks), default=0) - _TEXT // 3)
    part = text[first : first + _TEXT]
    before, after = "…" if first else "", "…" if first + _TEXT < len(text) else ""
    moved = [(a - first + len(before), b - first + len(before), side, kind) for a, b, side, kind in marks]
    return before + part + after, [mark for mark in moved if len(before) <= mark[0] and mark[1] <= len(before) + _TEXT]
