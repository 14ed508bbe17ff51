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
from wordworth.tasks.reading.labelled_rows import whole_words
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


def read_tags(path: Path, spec: DatasetSpec, part: Part, expected: ExpectedIds) -> Tags:
    """Return the predicted tags of each sentence, int64 [words], read from a file in any tag scheme.

    Tags are indices of the task's IOB2 classes. In a `.jsonl` each line holds the list of a sentence's tags, under
    `tags` or `prediction`.

    Args:
        path: the file of predictions.
        spec: the published data set whose items were predicted, which gives the classes.
        part: the part that is predicted, which gives the words of its sentences.
        expected: the ids of the part's examples.

    Raises:
        BadInput: sentences or words are missing or too many, a word differs from the gold file, or a tag is unknown.
    """
    file = read_raw(path)
    sentences = list(_json_sentences(file) if file.suffix in {".jsonl", ".ndjson"} else _sentences(file))
    rows = in_order(expected, sentences, file.path)
    _check(file, rows, part, spec)
    number = {name: index for index, name in enumerate(spec.classes)}
    tags = iob2([[line.tag for line in row] for row in rows])
    return tuple(np.array([number[tag] for tag in row], dtype=np.int64) for row in tags)


def _sentences(file: RawFile) -> Iterator[list[Line]]:
    rows: list[Line] = []
    for number, raw in enumerate(file.text().split("\n"), start=1):
        cells = raw.split("\t") if "\t" in raw else raw.strip(" \r").split(" ")
        if not raw.strip() or raw.startswith("-DOCSTART-"):
            if rows:
                yield rows
            rows = []
            continue
        rows.append(Line(number, cells[0] if len(cells) > 1 else None, cells[-1].strip()))
    if rows:
        yield rows


def _json_sentences(file: RawFile) -> Iterator[list[Line]]:
    table = read_table(file)
    name = usual_column(table.columns, PREDICTIONS)
    if name is None:
        raise BadInput("no key 'tags'", where=file.path, mend='write {"tags": ["O", ...]}, one sentence on each line')
    for row, cell in enumerate(table.columns[name]):
        yield [Line(table.positions[row], None, tag) for tag in whole_words(cell, table.where(row), "tag")]


def _check(file: RawFile, rows: list[list[Line]], part: Part, spec: DatasetSpec) -> None:
    types = {stripped(name)[1] for name in spec.classes if name != "O"}
    for row, (lines, gold) in enumerate(zip(rows, part.examples.words or (), strict=True)):
        where = f"{file.path}, line {lines[0].number}" if lines else file.path
        if len(lines) != len(gold):
            what = f"{len(lines)} tags where sentence {row + 1} has {len(gold)} words ({' '.join(gold[:5])} ...)"
            raise BadInput(what, where=where, mend="give every word a tag, and put a blank line between sentences")
        for line, word in zip(lines, gold, strict=True):
            at = f"{file.path}, line {line.number}"
            if line.word is not None and line.word != word:
                what = f"the word {line.word!r} where sentence {row + 1} has {word!r}"
                raise BadInput(what, where=at, mend="give predictions for this very part, in its order")
            if line.tag in types:
                mend = f"write B-{line.tag} where an entity begins and I-{line.tag} where it continues"
                raise BadInput(
                    f"tag {line.tag!r:.60} has no prefix, so that conlleval reads no type", where=at, mend=mend
                )
            if line.tag != "O" and stripped(line.tag)[1] not in types:
                raise BadInput(f"tag {line.tag!r:.60}", where=at, mend=nearest(line.tag, spec.classes))
