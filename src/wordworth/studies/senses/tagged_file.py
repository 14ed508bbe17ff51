"""Readers of tagged words from files with one row per word: a user's own, and CoarseWSD-20."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.studies.senses.sense_dataset import (
    SenseDataset,
    Source,
    TaggedSentence,
    Target,
    build_dataset,
    sample_sentences,
)
from wordworth.text.file_formats.table import TextTable
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import read_raw

NEEDED = ("word", "sense", "sentence")
_SPLITS = {"train": (True, False), "test": (False, True), "": (True, True)}
_PUNCTUATION = ".,;:!?\"'()[]{}“”‘’«»…"


def read_tagged_rows(name: str, table: TextTable, limit: int | None, seed: int) -> SenseDataset:
    """Read tagged words from a table with columns `word, sense, sentence`, and optionally `index, split, document`.

    `index` is the word's position (from 0) in the sentence, split at spaces; without it, the first word that is written
    like `word` is the tagged one. `split` is `train` or `test`; without it, a word's sense is predicted from all other
    documents, or from all other sentences where there is no column `document`. Rows with the same sentence are then one
    document, so that no occurrence is predicted from its own copy.

    Args:
        name: name of the set.
        table: the rows.
        limit: largest number of rows that are used, drawn at random; None for all.
        seed: seed of the draw.

    Raises:
        BadInput: a column is missing, or a row's sentence does not contain its word; the message names the line.
    """
    missing = [column for column in NEEDED if column not in table.columns]
    if missing:
        mend = f"it has {', '.join(table.columns)}; rename a column"
        raise BadInput(f"no column {missing[0]!r}", where=table.path, mend=mend)
    first: dict[str, int] = {}
    copied = [first.setdefault(" ".join(text.split()), row) for row, text in enumerate(table.columns["sentence"])]
    sentences = [_read_row(table, row, copied[row]) for row in range(len(table))]
    source = Source(Path(table.path).name, table.sha256, len(sentences), {})
    return build_dataset(name, source, sample_sentences(sentences, limit, seed))


def read_coarsewsd(name: str, path: Path, limit: int | None, seed: int) -> SenseDataset:
    """Read CoarseWSD-20 (Loureiro et al. 2021): twenty nouns in sentences from Wikipedia, with coarse senses.

    Args:
        name: name of the set.
        path: the file; `classes.json` in the same folder has the names of the senses.
        limit: largest number of rows that are used, drawn at random; None for all.
        seed: seed of the draw.

    Raises:
        BadInput: the file or its `classes.json` is damaged or missing.
    """
    table = read_plain_tsv(read_raw(path))
    classes = path.with_name("classes.json")
    text = read_raw(classes).text()
    try:
        names = parse_json(text)
        labels = [names[word][sense] for word, sense in zip(table.columns["word"], table.columns["class"], strict=True)]
    except (ValueError, KeyError, TypeError) as error:
        mend = "docs/data.md says what it should hold"
        raise BadInput(f"the names of the senses cannot be read: {error}", where=str(classes), mend=mend) from error
    columns = {**table.columns, "sense": [_readable(label) for label in labels]}
    return read_tagged_rows(name, TextTable(columns, table.path, table.sha256, table.positions), limit, seed)


def _readable(label: str) -> str:
    """Return the readable name of a class, `bass guitar` for `bass_bass_guitar`."""
    return label.partition("_")[2].replace("_", " ").strip() or label


def _read_row(table: TextTable, row: int, first: int) -> TaggedSentence:
    """Return the tagged sentence of a row.

    Args:
        table: the rows of the file.
        row: index of the row.
        first: index of the first row with the same sentence, which names the document if the row has neither a document
            nor a split.
    """
    cells = {name: column[row].strip() for name, column in table.columns.items()}
    where = f"{table.path}, {table.unit} {table.positions[row]}"
    words = tuple(cells["sentence"].split())
    if not cells["word"] or not cells["sense"]:
        raise BadInput("the word or the sense is empty", where=where, mend="fill both in, or remove the row")
    split = cells.get("split", "")
    if split not in _SPLITS:
        raise BadInput(f"split is {split!r}", where=where, mend="write train or test, or leave it empty")
    index = _word_index(cells, words, where)
    target = Target(index, index + 1, cells["word"], cells["sense"], cells["sense"])
    document = cells.get("document") or f"{table.positions[row if split else first]:012d}"
    in_train, in_test = _SPLITS[split]
    return TaggedSentence(words, document, (target,), in_train, in_test)


def _word_index(cells: Mapping[str, str], words: Sequence[str], where: str) -> int:
    index = cells.get("index", "")
    if index:
        if not index.isdigit() or int(index) >= len(words):
            mend = "count the words of the sentence, split at spaces, from 0"
            raise BadInput(f"index {index} is not among the sentence's {len(words)} words", where=where, mend=mend)
        return int(index)
    wanted = cells["word"].casefold()
    for position, word in enumerate(words):
        if wanted in (word.casefold(), word.casefold().strip(_PUNCTUATION)):
            return position
    mend = "if it is written differently there, give its position (from 0) in a column `index`"
    raise BadInput(f"the sentence does not contain {cells['word']!r}", where=where, mend=mend)
