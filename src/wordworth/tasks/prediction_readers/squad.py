"""Read predicted answers: SQuAD's JSON object of id -> answer, or JSON Lines with an id and an answer on each line."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.tasks.prediction_readers.align import ExpectedIds, by_id, unique
from wordworth.tasks.usual_columns import IDS, PREDICTIONS, usual_column
from wordworth.text.file_formats.jsonl import json_objects
from wordworth.text.read_compressed_file import RawFile, read_raw

_PAIRS = json.JSONDecoder(object_pairs_hook=list)
"""Parses objects as lists of pairs, which keeps duplicate keys."""


def read_answers(path: Path, expected: ExpectedIds) -> list[str]:
    """Return the predicted answer to each question of a part; "" means that the question has no answer.

    Raises:
        BadInput: the file has another format, an answer is not text, or ids are missing, unknown or duplicate.
    """
    file = read_raw(path)
    answers = _lines(file) if file.suffix in {".jsonl", ".ndjson"} else _object(file)
    for name, answer in answers.items():
        if not isinstance(answer, str):
            mend = 'write {"id": "answer", ...}, "" where a question has no answer'
            raise BadInput(f"the answer to {name!r} is {_describe(answer)}", where=file.path, mend=mend)
    return by_id(expected, answers, file.path)


def read_no_answer_probabilities(path: Path, expected: ExpectedIds) -> NDArray[np.float64]:
    """Return the predicted probability that each question has no answer, float64 [n] (`na_probs` of SQuAD 2.0).

    Raises:
        BadInput: the file has another format, or a value is not a number.
    """
    file = read_raw(path)
    values = by_id(expected, _object(file), file.path)
    wrong = next((value for value in values if not _is_number(value)), None)
    if wrong is not None:
        raise BadInput(f"a probability of no answer is {_describe(wrong)}", where=file.path, mend="write numbers")
    return np.array(values, dtype=np.float64)


def _describe(value: object) -> str:
    """Return a JSON value as text for an error message; of a list only its type, as it may be a whole data set."""
    return f"a {type(value).__name__}" if isinstance(value, list) else f"{value!r:.60}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _object(file: RawFile) -> dict[str, Any]:
    text = file.text()
    try:
        pairs = parse_json(text, _PAIRS)
    except ValueError as error:
        raise BadInput(f"this is not JSON: {error}", where=file.path, mend='write {"id": "answer", ...}') from error
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        raise BadInput("this JSON is not an object", where=file.path, mend='write {"id": "answer", ...}')
    unique([name for name, _ in pairs], file.path)
    return dict(pairs)


def _lines(file: RawFile) -> dict[str, Any]:
    pairs: list[tuple[str, Any]] = []
    for number, row in json_objects(enumerate(file.text().split("\n"), start=1), file.path):
        name, answer = (usual_column(row, names) for names in (IDS, PREDICTIONS))
        if name is None or answer is None:
            where = f"{file.path}, line {number}"
            raise BadInput("a line without an id and an answer", where=where, mend='write "id" and "prediction"')
        pairs.append((str(row[name]), row[answer]))
    unique([name for name, _ in pairs], file.path)
    return dict(pairs)
