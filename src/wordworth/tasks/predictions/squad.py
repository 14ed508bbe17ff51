"""Answers to questions: SQuAD's JSON of id -> answer, or JSON Lines with an id and an answer each."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.tasks.predictions.align import ExpectedIds, by_id, unique
from wordworth.tasks.predictions.tabular import NAMED, PREDICTED
from wordworth.text.raw_file import RawFile, read_stored
from wordworth.text.tables.jsonl import json_object

_PAIRS = json.JSONDecoder(object_pairs_hook=list)
"""Keeps a key that is there twice."""


def read_answers(path: Path, asked: ExpectedIds) -> list[str]:
    """The answer to each question of a part, "" where none is given on purpose.

    Raises:
        BadInput: the file is no such file, an answer is no text, or ids are missing, strange or twice.
    """
    stored = read_stored(path)
    given = _lines(stored) if stored.suffix in {".jsonl", ".ndjson"} else _object(stored)
    for name, answer in given.items():
        if not isinstance(answer, str):
            mend = 'write {"id": "answer", ...}, "" where a question has no answer'
            raise BadInput(f"the answer to {name!r} is {_shown(answer)}", where=stored.path, mend=mend)
    return by_id(asked, given, stored.path)


def read_doubts(path: Path, asked: ExpectedIds) -> NDArray[np.float64]:
    """float64 [n]: how sure a system is that a question has no answer (`na_probs` of SQuAD 2.0).

    Raises:
        BadInput: the file is no such file, or a value is no number.
    """
    stored = read_stored(path)
    values = by_id(asked, _object(stored), stored.path)
    wrong = next((value for value in values if not _is_number(value)), None)
    if wrong is not None:
        raise BadInput(f"a probability of no answer is {_shown(wrong)}", where=stored.path, mend="write numbers")
    return np.array(values, dtype=np.float64)


def _shown(value: object) -> str:
    """A value for a message; of a nested one, which may be a whole data set, its type alone."""
    return f"a {type(value).__name__}" if isinstance(value, list) else f"{value!r:.60}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _object(stored: RawFile) -> dict[str, Any]:
    try:
        pairs = parse_json(stored.text(), _PAIRS)
    except ValueError as error:
        raise BadInput(f"this is not JSON: {error}", where=stored.path, mend='write {"id": "answer", ...}') from error
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        raise BadInput("this JSON is no object", where=stored.path, mend='write {"id": "answer", ...}')
    unique([name for name, _ in pairs], stored.path)
    return dict(pairs)


def _lines(stored: RawFile) -> dict[str, Any]:
    found: list[tuple[str, Any]] = []
    for number, line in enumerate(stored.text().split("\n"), start=1):
        if line.strip():
            where = f"{stored.path}, line {number}"
            row = json_object(line, where)
            name, answer = (next((key for key in keys if key in row), None) for keys in (NAMED, PREDICTED))
            if name is None or answer is None:
                raise BadInput("a line without an id and an answer", where=where, mend='write "id" and "prediction"')
            found.append((str(row[name]), row[answer]))
    unique([name for name, _ in found], stored.path)
    return dict(found)
