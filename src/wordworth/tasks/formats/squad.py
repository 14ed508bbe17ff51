"""Read SQuAD's files: paragraphs, questions about them, and answers at character offsets in the paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.records import Finding
from wordworth.sentence_formatting import some_of
from wordworth.tasks.examples import Answer, Examples, span_labels
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.text.file_formats.conll import CONLL
from wordworth.text.file_formats.read import format_of, read_table
from wordworth.text.file_formats.txt import TXT
from wordworth.text.read_compressed_file import RawFile

_MOST_MISPLACED = 0.05
_SHAPE = 'a SQuAD file is {"data": [{"paragraphs": [{"context", "qas": [{"id", "question", "answers"}]}]}]}'


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its id, its context and its gold answers, as a file states them."""

    id: str
    text: str
    context: str
    answers: tuple[Answer, ...]


def read_questions(file: RawFile, *, answered: bool = True) -> Part:
    """Return the questions of a SQuAD `.json`, or of rows with the same columns (`.parquet`, `.jsonl`, `.csv`).

    An answer that is not at its offset in the context keeps its text, so that predictions can be scored against it, and
    gets the start -1, so that training leaves it out (see `learnable`).

    Args:
        file: the file.
        answered: whether to read the answers of a `.json`. If False, the file may lack answers, and answers that it has
            are ignored. The answers of the other formats are always read.

    Raises:
        BadInput: the file has another format, two questions have one id, or more than one answer in twenty is not at
            its offset.
    """
    questions = list(_rows(file) if _is_table(file) else _json(file, answered=answered))
    if not questions:
        raise BadInput("no questions", where=file.path, mend=_SHAPE)
    _check_ids(file, questions)
    placed = [tuple(_checked_position(question, answer) for answer in question.answers) for question in questions]
    examples = Examples(
        tuple(question.text for question in questions),
        tuple(question.context for question in questions),
        ids=tuple(question.id for question in questions),
    )
    return Part(
        examples, span_labels(placed), (origin(file, len(questions)),), _misplaced_finding(file, questions, placed)
    )


def learnable(answers: tuple[Answer, ...]) -> bool:
    """Return whether training can use a question: False if it has answers, but no answer with a known position.

    Args:
        answers: the gold answers; empty for a question without an answer.
    """
    return not answers or any(answer.start >= 0 for answer in answers)


def _is_table(file: RawFile) -> bool:
    """Return whether a file is a table of questions by its name; other files are read as SQuAD's JSON."""
    known = format_of(file.path)
    return file.suffix != ".json" and known not in (None, CONLL, TXT)


def _json(file: RawFile, *, answered: bool) -> Iterator[Question]:
    try:
        whole = parse_json(file.text())
        for article in whole["data"]:
            for paragraph in article["paragraphs"]:
                for entry in paragraph["qas"]:
                    yield _question(entry if answered else {**entry, "answers": ()}, paragraph["context"])
    except BadInput:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadInput(f"this is not a SQuAD file: {reason}", where=file.path, mend=_SHAPE) from error


def _question(entry: Mapping[str, Any], context: str) -> Question:
    impossible = entry.get("is_impossible", False)
    answers = (
        () if impossible else tuple(Answer(answer["text"], int(answer["answer_start"])) for answer in entry["answers"])
    )
    if not all(isinstance(text, str) for text in (entry["question"], context, *(answer.text for answer in answers))):
        raise TypeError(f"a text of question {entry['id']!r} is not a string")
    return Question(str(entry["id"]), entry["question"], context, answers)


def _rows(file: RawFile) -> Iterator[Question]:
    table = read_table(file)
    names = table.columns.get("id") or [f"row-{row + 1}" for row in range(len(table))]
    columns = (table.column(name) for name in ("question", "context", "answers"))
    for row, (name, question, context, cell) in enumerate(zip(names, *columns, strict=True)):
        yield Question(name, question, context, _answers(cell, table.where(row)))


def _answers(cell: str, where: str) -> tuple[Answer, ...]:
    """Parse the answers in a cell: a JSON list of objects, or an object of lists as on the Hugging Face hub."""
    try:
        entries = parse_json(cell or "[]")
        if isinstance(entries, dict):
            lists = [
                parse_json(entry) if isinstance(entry, str) else entry
                for entry in (entries["text"], entries["answer_start"])
            ]
            entries = [{"text": text, "answer_start": start} for text, start in zip(*lists, strict=True)]
        return tuple(Answer(str(entry["text"]), int(entry["answer_start"])) for entry in entries)
    except (ValueError, KeyError, TypeError) as error:
        mend = 'write [{"text": "the words", "answer_start": 17}], and [] where the context does not answer'
        raise BadInput("this cell does not hold answers", where=where, mend=mend) from error


def _checked_position(question: Question, answer: Answer) -> Answer:
    matches = answer.start >= 0 and question.context.startswith(answer.text, answer.start)
    return answer if matches else Answer(answer.text, -1)


def _check_ids(file: RawFile, questions: list[Question]) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            mend = "give every question an id of its own"
            raise BadInput(f"two questions have the id {question.id!r}", where=file.path, mend=mend)
        seen.add(question.id)


def _misplaced_finding(
    file: RawFile, questions: list[Question], placed: list[tuple[Answer, ...]]
) -> tuple[Finding, ...]:
    total = sum(map(len, placed))
    lost = [row for row, answers in enumerate(placed) if any(answer.start < 0 for answer in answers)]
    if not lost:
        return ()
    count = sum(answer.start < 0 for answers in placed for answer in answers)
    example = next(a for a, b in zip(questions[lost[0]].answers, placed[lost[0]], strict=True) if b.start < 0)
    first = f"question {questions[lost[0]].id!r}: {example.text[:60]!r} at {example.start}"
    which = some_of(count, total, "answers does", "answers do")
    if count > _MOST_MISPLACED * total:
        what = f"{which} not stand at the answer_start ({first})"
        mend = "count answer_start in characters of the context from 0, not in bytes or UTF-16 units"
        raise BadInput(what, where=file.path, mend=mend)
    text = f"{which} not stand at the answer_start ({first}): nothing is learned there."
    return (Finding("warning.misplaced_answers", text, {"answers": count, "of": total, "questions": len(lost)}),)
