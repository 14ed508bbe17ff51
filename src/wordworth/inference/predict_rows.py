"""Predict the rows of a file with a fine-tuned model, a block of rows at a time, and note oddities of the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.inference.predict_settings import PredictSettings
from wordworth.inference.prediction_files import AnswerRow, AnswerTable
from wordworth.inference.prediction_inputs import ColumnRoles, InputRow, examples_of, input_rows
from wordworth.progress import Progress
from wordworth.sentence_formatting import count_of
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types import TaskType
from wordworth.text.file_formats.read import require_format
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.unknown_entity import UnknownEntity, links_to

if TYPE_CHECKING:
    from wordworth.inference.chunk_vote import ChunkVotePredictor
    from wordworth.inference.probes_predictor import ProbesPredictor
    from wordworth.inference.read_predictor import AnyPredictor

    RowPredictor: TypeAlias = AnyPredictor | ProbesPredictor | ChunkVotePredictor

_BLOCK = 1_024
"""Number of rows that are predicted at a time."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Report of `predict` on the file that it wrote.

    Attributes:
        out: path of the file.
        rows: number of rows in the file.
        dtype: dtype of the encoder's computation.
        empty: number of rows whose text is empty; they have no prediction.
    """

    out: Path
    rows: int
    dtype: str
    empty: int = 0


@dataclass(slots=True)
class RowCounts:
    """Counts of the rows that were read so far.

    Attributes:
        rows: number of rows.
        empty: number of rows whose text is empty.
        unmarked: True if the model reads a sentence with its neighbours in the document, and no row names its document.
    """

    rows: int = 0
    empty: int = 0
    unmarked: bool = False


@contextmanager
def answered_rows(
    predictor: RowPredictor, source: Path, columns: PredictSettings, progress: Progress
) -> Iterator[tuple[Iterator[AnswerRow], AnswerTable, RowCounts]]:
    """Open a file for prediction, as the context of a `with` statement.

    Before and after the rows, oddities of the file are noted: a guessed column, rows without a text, no rows.

    Args:
        predictor: the model, or several probes.
        source: the file.
        columns: the settings in which the user names the columns of texts.
        progress: receives progress and messages.

    Yields:
        The answers, one a row, computed while they are iterated; the layout of a table of the answers; and the counts
        of rows, which grow with the iteration.

    Raises:
        BadInput: a row cannot be read.
    """
    roles = ColumnRoles(
        predictor.task_type,
        predictor.pairs,
        text=columns.text,
        second=columns.text_b,
        training_columns=predictor.columns,
    )
    counts = RowCounts()
    with progress.step("answering") as step:

        def count(examples: Examples, empty: int) -> None:
            counts.rows += len(examples)
            counts.empty += empty
            counts.unmarked = predictor.reads_neighbours and examples.documents is None
            step.advance(len(examples))

        rows = input_rows(source, named=predictor.task_type.labels_words)  # a .txt of tags is CoNLL
        first = next(rows, None)
        if first is not None and (name := roles.guessed(first)):
            progress.note(f"{source}: texts are read from column {name!r}, as there is no {predictor.columns[0]!r}")
        if first is not None and (name := roles.left_out(first)):
            progress.note(f"{source}: column {name!r} is left out, as the model reads one text a row")
        answers = _answers(predictor, chain([first] if first else [], rows), roles, count)
        input_columns = tuple(first.cells) if first else _header(source)
        yield answers, predictor.layout(input_columns), counts
    if not counts.rows:
        progress.note(f"{source}: there are no rows in this file")
    if counts.unmarked:
        progress.note(f"{source}: no documents are marked, so all rows were read as one document")
    _report_blank(progress, source, counts.empty)


def _header(source: Path) -> tuple[str, ...]:
    """Return the names of the columns of a file without rows."""
    return tuple(require_format(source).table(read_raw(source)).columns)


def require_questions(task_type: TaskType, source: Path) -> None:
    """Refuse a .json file, which holds SQuAD's questions, unless the model's kind of task is answer spans.

    Args:
        task_type: the model's kind of task.
        source: the .json file, for the error.

    Raises:
        BadInput: the model was fine-tuned on another kind of task.
    """
    if not task_type.reads_windows:
        what = f"a .json holds SQuAD's questions, and this model was fine-tuned on a task of kind {task_type.name}"
        raise BadInput(what, where=str(source), mend="give rows: .jsonl, .csv, .tsv or .parquet")


def blank_rows(examples: Examples) -> list[bool]:
    """Return for each example whether a text that it needs is blank; multiple choice does not need a question."""
    second = examples.first if examples.second is None or examples.options is not None else examples.second
    return [not (text.strip() and other.strip()) for text, other in zip(examples.first, second, strict=True)]


def _report_blank(progress: Progress, source: Path, blank: int) -> None:
    if blank:
        progress.note(f"{source}: {count_of(blank, 'row')} without a text, and so without a prediction")


def _answers(
    predictor: RowPredictor, rows: Iterable[InputRow], roles: ColumnRoles, report: Callable[[Examples, int], None]
) -> Iterator[AnswerRow]:
    """Yield one answer per row; an answer of tags holds the words of the sentence too.

    For a row without a text every value is None, since a prediction for an empty text would look like an answer. For
    answer spans and tags nothing is replaced, as their predictions are empty anyway.
    """
    rest, done = iter(rows), 0
    predicts_blank = predictor.task_type.predicts_blank
    size = None if predictor.reads_neighbours else _BLOCK  # a sentence needs its neighbours in the same block
    while block := list(islice(rest, size)):
        examples = examples_of(block, roles)
        words = [{}] * len(block) if examples.words is None else [{"words": list(words)} for words in examples.words]
        blanks = blank_rows(examples)
        answers = zip(block, words, _answered(predictor, examples, block), blanks, strict=True)
        for row, read, answer, blank in answers:
            values = predictor.without_text(answer) if blank and predicts_blank else answer
            yield AnswerRow(row.cells, done, {**read, **values})
            done += 1
        report(examples, sum(blanks))


def _answered(predictor: RowPredictor, examples: Examples, block: Sequence[InputRow]) -> list[dict[str, Any]]:
    """Return the answers to a block of rows; the error about a link to an unknown entity names the row."""
    try:
        return predictor.answers(examples)
    except UnknownEntity as error:
        linked = (row.where for row in block if any(links_to(cell, error.entity) for cell in row.cells.values()))
        raise UnknownEntity(error.entity, error.text, next(linked, "")) from error


def write_squad_predictions(predictor: RowPredictor, source: Path, target: Path, progress: Progress) -> Predicted:
    """Answer the questions of a SQuAD file, and write SQuAD's prediction file: a JSON object, question id -> answer.

    Args:
        predictor: the model.
        source: the SQuAD file.
        target: the file to write; the probabilities that a question has no answer go to `answers.na_prob.json` beside
            an `answers.json`.
        progress: receives progress and messages.

    Raises:
        BadInput: the file holds no questions.
    """
    examples = read_questions(read_raw(source), answered=False).examples
    names = examples.ids or ()
    answers: dict[str, str] = {}
    no_answer: dict[str, float] = {}
    with progress.step("answering", len(examples)) as step:
        for start in range(0, len(examples), _BLOCK):
            rows = range(start, min(start + _BLOCK, len(examples)))
            for row, answer in zip(rows, predictor.answers(examples.take(rows)), strict=True):
                answers[names[row]] = str(answer["answer"])
                no_answer[names[row]] = float(answer.get("no_answer", 0.0))
            step.advance(len(rows))
    write_text(target, json.dumps(answers, ensure_ascii=False, indent=0) + "\n")
    if predictor.predicts_no_answer:
        write_text(target.with_suffix(".na_prob.json"), json.dumps(no_answer, indent=0) + "\n")
    blank = sum(blank_rows(examples))
    _report_blank(progress, source, blank)
    return Predicted(target, len(answers), predictor.dtype, blank)
