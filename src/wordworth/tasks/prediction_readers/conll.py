"""Read predicted tags as conlleval does: one word a line, its tag in the last column, empty lines between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.measures.chunk_f1 import stripped
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.prediction_readers.align import ExpectedIds, in_order
from wordworth.tasks.reading.labelled_rows import words
from wordworth.tasks.task_types.tagging import iob2
from wordworth.tasks.usual_columns import PREDICTIONS, usual_column
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import RawFile, read_raw

Tags = tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a CoNLL file that holds a tagged word: the line's number, the word and the tag.

    The word is None if the line holds only a tag.
    """

    number: int
    word: str | None
    tag: str


def read_tags(path: Path, of: DatasetSpec, part: Part, expected: ExpectedIds) -> Tags:
    """Return the predicted tags of each sentence, int64 [words], read from a file in any tag scheme.

    Tags are indices of the task's IOB2 classes. In a `.jsonl` each line holds the list of a sentence's tags, under
    `tags` or `prediction`.

    Args:
        path: the file of predictions.
        of: the published data set whose items were predicted, which gives the classes.
        part: the part that is predicted, which gives the words of its sentences.
        expected: the ids of the part's examples.

    Raises:
        BadInput: sentences or words are missing or too many, a word differs from the gold file, or a tag is unknown.
    """
    stored = read_raw(path)
    sentences = list(_json_sentences(stored) if stored.suffix in {".jsonl", ".ndjson"} else _sentences(stored))
    rows = in_order(expected, sentences, stored.path)
    _check(stored, rows, part, of)
    number = {name: index for index, name in enumerate(of.classes)}
    tags = iob2([[line.tag for line in row] for row in rows])
    return tuple(np.array([number[tag] for tag in row], dtype=np.int64) for row in tags)


def _sentences(stored: RawFile) -> Iterator[list[Line]]:
    rows: list[Line] = []
    for number, raw in enumerate(stored.text().split("\n"), start=1):
        cells = raw.split("\t") if "\t" in raw else raw.strip(" \r").split(" ")
        if not raw.strip() or raw.startswith("-DOCSTART-"):
            if rows:
                yield rows
            rows = []
            continue
        rows.append(Line(number, cells[0] if len(cells) > 1 else None, cells[-1].strip()))
    if rows:
        yield rows


def _json_sentences(stored: RawFile) -> Iterator[list[Line]]:
    table = read_table(stored)
    name = usual_column(table.columns, PREDICTIONS)
    if name is None:
        raise BadInput("no key 'tags'", where=stored.path, mend='write {"tags": ["O", ...]}, one sentence on each line')
    for row, cell in enumerate(table.columns[name]):
        yield [Line(table.positions[row], None, tag) for tag in words(cell)]


def _check(stored: RawFile, rows: list[list[Line]], part: Part, of: DatasetSpec) -> None:
    types = {stripped(name)[1] for name in of.classes if name != "O"}
    for row, (lines, gold) in enumerate(zip(rows, part.examples.words or (), strict=True)):
        where = f"{stored.path}, line {lines[0].number}" if lines else stored.path
        if len(lines) != len(gold):
            what = f"{len(lines)} tags where sentence {row + 1} has {len(gold)} words ({' '.join(gold[:5])} ...)"
            raise BadInput(what, where=where, mend="give every word a tag, and put a blank line between sentences")
        for line, word in zip(lines, gold, strict=True):
            at = f"{stored.path}, line {line.number}"
            if line.word is not None and line.word != word:
                what = f"the word {line.word!r} where sentence {row + 1} has {word!r}"
                raise BadInput(what, where=at, mend="give predictions for this very part, in its order")
            if line.tag in types:
                mend = f"write B-{line.tag} where an entity begins and I-{line.tag} where it continues"
                raise BadInput(
                    f"tag {line.tag!r:.60} has no prefix, so that conlleval reads no type", where=at, mend=mend
                )
            if line.tag != "O" and stripped(line.tag)[1] not in types:
                raise BadInput(f"tag {line.tag!r:.60}", where=at, mend=nearest(line.tag, of.classes))
