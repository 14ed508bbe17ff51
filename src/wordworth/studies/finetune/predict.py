"""`predict`: a file of questions becomes a file of answers, some rows at a time, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import atomic_write, require_distinct, write_text
from wordworth.progress import SILENT, Progress
from wordworth.studies.finetune.prediction_files import WRITERS, AnswerRow, Layout
from wordworth.studies.finetune.prediction_inputs import ColumnRoles, InputRow, examples_of, input_rows
from wordworth.studies.finetune.predictor import TaskPredictor
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task import Examples, Kind
from wordworth.text.raw_file import check_file, read_stored, suffix_of
from wordworth.text_format import count_of
from wordworth.training.mixed_precision import Dtype

_TOGETHER = 1_024


@dataclass(frozen=True, slots=True)
class Predicted:
    """What was written: where, how many answers, and what the encoder computed in."""

    out: Path
    rows: int
    dtype: str


def predict(  # noqa: PLR0913 - two columns, a device and a dtype, beside what is read and written
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
    """Answer every row of a file with the model of a fine-tuning.

    Args:
        run: the --out of a fine-tuning, or its model folder.
        path: .jsonl, .csv, .tsv, .parquet or CoNLL, packed or not; for answer spans also a SQuAD .json.
        out: a .jsonl with an object an answer, in the order of the file; a .csv or .parquet with the file's own
            columns, `row` (its number from 0), `prediction` and a probability a class; of tags also a .conll; of a
            SQuAD .json the official predictions (id to answer), and beside it `<out>.na_prob.json` where a question may
            have no answer.
        text: the column of texts (of words, of contexts), where it has neither the name that it had in the file
            learned from nor a usual one.
        second: the column of second texts.
        device: `cpu`, `cuda`, or `auto`, which takes a GPU where there is one.
        dtype: what the encoder computes in; `auto` is bfloat16 where the machine multiplies it faster, as in training.
            Values and probabilities then differ from those of float32 in their third digit or so.
        progress: whom to tell.

    Raises:
        BadInput: there is no model, or a row cannot be read; nothing is written then.

    >>> predict("run", "input.jsonl", "answers.jsonl")  # doctest: +SKIP
    """
    source, target = Path(path), Path(out)
    require_distinct(target, source)
    check_file(source)
    official = suffix_of(source.name) == ".json"
    if not official and target.suffix not in WRITERS:
        mend = "give a .jsonl, .csv or .parquet, or a .conll of tags"
        raise BadInput(f"unknown kind of file {target.suffix!r}", where=str(target), mend=mend)
    answering = TaskPredictor.read(Path(run), device, dtype)
    if official:
        _require_spans(answering.kind, source)
        return _write_squad_predictions(answering, source, target, progress)
    roles = ColumnRoles(answering.kind, answering.pairs, text=text, second=second, learned=answering.columns)
    blank, unmarked = 0, False
    with progress.step("answering") as step, atomic_write(target) as neighbour:

        def seen(examples: Examples, empty: int) -> None:
            nonlocal blank, unmarked
            blank += empty
            unmarked = answering.needs_all and examples.documents is None
            step.advance(len(examples))

        rows = input_rows(source)
        first = next(rows, None)
        if first is not None and (name := roles.guessed(first)):
            progress.note(f"{source}: texts are read from column {name!r}, as there is no {answering.columns[0]!r}")
        answers = _answers(answering, chain([first] if first else [], rows), roles, seen)
        given = tuple(first.cells) if first else ()
        layout = Layout(answering.kind, answering.classes, given, answering.may_be_silent)
        written = WRITERS[target.suffix](neighbour, answers, layout)
    if not written:
        progress.note(f"{source}: there are no rows in this file")
    if unmarked:
        progress.note(f"{source}: no documents are marked, so that every row was read as one document's")
    _tell(progress, source, blank)
    return Predicted(target, written, answering.dtype)


def _require_spans(kind: Kind, source: Path) -> None:
    """A .json holds SQuAD's paragraphs, whose answers are spans of text."""
    if kind != "span":
        said = f"a .json holds questions as SQuAD has them, and this model was tuned on a task of kind {kind}"
        raise BadInput(said, where=str(source), mend="give rows: .jsonl, .csv, .tsv or .parquet")


def _blank(examples: Examples) -> list[bool]:
    """Which rows lack a text; a choice may lack a question."""
    second = examples.first if examples.second is None or examples.options is not None else examples.second
    return [not (one.strip() and other.strip()) for one, other in zip(examples.first, second, strict=True)]


def _tell(progress: Progress, source: Path, blank: int) -> None:
    if blank:
        progress.note(f"{source}: {count_of(blank, 'row')} without a text, and so without an answer")


def _answers(
    answering: TaskPredictor, rows: Iterable[InputRow], roles: ColumnRoles, seen: Callable[[Examples, int], None]
) -> Iterator[AnswerRow]:
    """An answer a row, with the words that tags are of.

    Of a row without a text every value is None: what a model says of nothing would pass for an answer. Spans and tags
    are empty of themselves.
    """
    rest, done = iter(rows), 0
    says_of_nothing = answering.kind not in {"span", "tags"}
    together = None if answering.needs_all else _TOGETHER  # neighbours of a sentence must be there
    while some := list(islice(rest, together)):
        examples = examples_of(some, roles)
        words = [{}] * len(some) if examples.words is None else [{"words": list(one)} for one in examples.words]
        blanks = _blank(examples)
        answers = zip(some, words, answering.answers(examples), blanks, strict=True)
        for row, read, answer, blank in answers:
            found = dict.fromkeys(answer) if blank and says_of_nothing else answer
            yield AnswerRow(row.cells, done, {**read, **found})
            done += 1
        seen(examples, sum(blanks))


def _write_squad_predictions(answering: TaskPredictor, source: Path, target: Path, progress: Progress) -> Predicted:
    """The official prediction file of a SQuAD file."""
    examples = read_questions(read_stored(source), answered=False).examples
    names = examples.ids or ()
    answers: dict[str, str] = {}
    doubts: dict[str, float] = {}
    with progress.step("answering", len(examples)) as step:
        for start in range(0, len(examples), _TOGETHER):
            rows = range(start, min(start + _TOGETHER, len(examples)))
            for row, answer in zip(rows, answering.answers(examples.take(rows)), strict=True):
                answers[names[row]] = str(answer["answer"])
                doubts[names[row]] = float(answer.get("no_answer", 0.0))
            step.advance(len(rows))
    write_text(target, json.dumps(answers, ensure_ascii=False, indent=0) + "\n")
    if answering.may_be_silent:
        write_text(target.with_suffix(".na_prob.json"), json.dumps(doubts, indent=0) + "\n")
    _tell(progress, source, sum(_blank(examples)))
    return Predicted(target, len(answers), answering.dtype)
