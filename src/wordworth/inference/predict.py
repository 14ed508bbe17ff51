"""`predict`: write a fine-tuned model's predictions for every row of a file, a block of rows at a time, atomically."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import atomic_write, require_distinct, write_text
from wordworth.inference.prediction_files import AnswerRow, Layout, write_answers
from wordworth.inference.prediction_inputs import ColumnRoles, InputRow, examples_of, input_rows
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.progress import SILENT, Progress
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types import TaskType
from wordworth.text.file_formats.read import require_writable
from wordworth.text.raw_file import check_file, read_raw, suffix_of
from wordworth.text_format import count_of
from wordworth.training.mixed_precision import Dtype

_BLOCK = 1_024
"""The number of rows predicted at a time."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Report of `predict`: the file written, its number of predictions, and the dtype of the encoder's computation."""

    out: Path
    rows: int
    dtype: str


def predict(  # noqa: PLR0913 - two columns, a device and a dtype, beside model, input and output
    run: Path | str,
    path: Path | str,
    out: Path | str,
    *,
    text: str | None = None,
    second: str | None = None,
    device: str = "auto",
    dtype: Dtype = "auto",
    progress: Progress = SILENT,
) -> Predicted:
    """Write the predictions of a fine-tuned model for every row of a file; return a report on the file written.

    Args:
        run: the output folder of a fine-tuning, or the model folder inside that.
        path: the input: .jsonl, .csv, .tsv, .parquet or CoNLL, compressed or not; for answer spans also a SQuAD .json.
        out: a .jsonl with one object per row, in the order of `path`; a .csv or .parquet with the columns of `path`,
            `row` (the row's number from 0), `prediction` and one probability per class; for tags also a .conll; for a
            SQuAD .json the official predictions (id to answer), with `<out>.na_prob.json` beside them where a question
            may have no answer.
        text: the column of texts (of words, of contexts), needed if the column's name is neither that of the training
            file nor a usual one such as `text` or `sentence`.
        second: the column of the second texts of pairs, needed in the same case.
        device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one.
        dtype: dtype of the encoder's computation; `auto` is bfloat16 where the machine multiplies it faster, as in
            training. Values and probabilities then differ from those of float32 in about their third digit.
        progress: receives progress and messages.

    Raises:
        BadInput: `run` holds no model, or a row cannot be read; in either case nothing is written.

    >>> predict("run", "input.jsonl", "answers.jsonl")  # doctest: +SKIP
    """
    source, target = Path(path), Path(out)
    require_distinct(target, source)
    check_file(source)
    official = suffix_of(source.name) == ".json"
    written_as = None if official else require_writable(target)
    answering = TaskPredictor.read(Path(run), device, dtype)
    if written_as is None:
        _require_questions(answering.task_type, source)
        return _write_squad_predictions(answering, source, target, progress)
    roles = ColumnRoles(answering.task_type, answering.pairs, text=text, second=second, learned=answering.columns)
    blank, unmarked = 0, False
    with progress.step("answering") as step, atomic_write(target) as neighbour:

        def count(examples: Examples, empty: int) -> None:
            nonlocal blank, unmarked
            blank += empty
            unmarked = answering.needs_all and examples.documents is None
            step.advance(len(examples))

        rows = input_rows(source)
        first = next(rows, None)
        if first is not None and (name := roles.guessed(first)):
            progress.note(f"{source}: texts are read from column {name!r}, as there is no {answering.columns[0]!r}")
        answers = _answers(answering, chain([first] if first else [], rows), roles, count)
        columns = tuple(first.cells) if first else ()
        layout = Layout(answering.task_type, answering.classes, columns, answering.may_be_silent)
        written = write_answers(neighbour, answers, layout, written_as)
    if not written:
        progress.note(f"{source}: there are no rows in this file")
    if unmarked:
        progress.note(f"{source}: no documents are marked, so all rows were read as one document")
    _report_blank(progress, source, blank)
    return Predicted(target, written, answering.dtype)


def _require_questions(task_type: TaskType, source: Path) -> None:
    """Refuse a .json for other kinds of task: it has SQuAD's paragraphs, whose answers are spans of text.

    Raises:
        BadInput: the model was fine-tuned on another kind of task.
    """
    if not task_type.reads_windows:
        what = f"a .json holds SQuAD's questions, and this model was fine-tuned on a task of kind {task_type.name}"
        raise BadInput(what, where=str(source), mend="give rows: .jsonl, .csv, .tsv or .parquet")


def _blank(examples: Examples) -> list[bool]:
    """Return which rows lack a text; multiple-choice rows may lack a question."""
    second = examples.first if examples.second is None or examples.options is not None else examples.second
    return [not (text.strip() and other.strip()) for text, other in zip(examples.first, second, strict=True)]


def _report_blank(progress: Progress, source: Path, blank: int) -> None:
    if blank:
        progress.note(f"{source}: {count_of(blank, 'row')} without a text, and so without a prediction")


def _answers(
    answering: TaskPredictor, rows: Iterable[InputRow], roles: ColumnRoles, report: Callable[[Examples, int], None]
) -> Iterator[AnswerRow]:
    """Yield one answer per row, for tags with the sentence's words.

    For a row without a text every value is None, since a prediction for an empty text would look like an answer. Spans
    and tags are empty anyway.
    """
    rest, done = iter(rows), 0
    predicts_blank = answering.task_type.predicts_blank
    size = None if answering.needs_all else _BLOCK  # a sentence needs its neighbours in the same block
    while block := list(islice(rest, size)):
        examples = examples_of(block, roles)
        words = [{}] * len(block) if examples.words is None else [{"words": list(words)} for words in examples.words]
        blanks = _blank(examples)
        answers = zip(block, words, answering.answers(examples), blanks, strict=True)
        for row, read, answer, blank in answers:
            values = dict.fromkeys(answer) if blank and predicts_blank else answer
            yield AnswerRow(row.cells, done, {**read, **values})
            done += 1
        report(examples, sum(blanks))


def _write_squad_predictions(answering: TaskPredictor, source: Path, target: Path, progress: Progress) -> Predicted:
    """Write the official prediction file for a SQuAD file."""
    examples = read_questions(read_raw(source), answered=False).examples
    names = examples.ids or ()
    answers: dict[str, str] = {}
    no_answer: dict[str, float] = {}
    with progress.step("answering", len(examples)) as step:
        for start in range(0, len(examples), _BLOCK):
            rows = range(start, min(start + _BLOCK, len(examples)))
            for row, answer in zip(rows, answering.answers(examples.take(rows)), strict=True):
                answers[names[row]] = str(answer["answer"])
                no_answer[names[row]] = float(answer.get("no_answer", 0.0))
            step.advance(len(rows))
    write_text(target, json.dumps(answers, ensure_ascii=False, indent=0) + "\n")
    if answering.may_be_silent:
        write_text(target.with_suffix(".na_prob.json"), json.dumps(no_answer, indent=0) + "\n")
    _report_blank(progress, source, sum(_blank(examples)))
    return Predicted(target, len(answers), answering.dtype)
