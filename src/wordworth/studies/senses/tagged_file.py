"""Tagged words from a file with a row each: a user's own, and CoarseWSD-20."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.studies.senses.sense_dataset import Given, SenseDataset, Source, Target, drawn, tagged
from wordworth.text.raw_file import read_stored
from wordworth.text.tables.table import TextTable
from wordworth.text.tables.tsv import read_plain_tsv

NEEDED = ("word", "sense", "sentence")
_SPLITS = {"train": (True, False), "test": (False, True), "": (True, True)}
_MARKS = ".,;:!?\"'()[]{}“”‘’«»…"


def read_tagged_rows(name: str, table: TextTable, limit: int | None, seed: int) -> SenseDataset:
    """Rows `word, sense, sentence`, and where given `index`, `split` and `document`.

    `index` is the word's place (from 0) among the sentence's words, apart by blanks; without it the first word that is
    written like `word` counts. `split` is `train` (teaches a sense) or `test` (is to be told); without it a word is
    told by those of all other documents, or sentences where there is no column `document`.

    Raises:
        BadInput: a column is missing, or a row does not hold its word; names the line.
    """
    missing = [column for column in NEEDED if column not in table.columns]
    if missing:
        mend = f"it has {', '.join(table.columns)}; rename a column"
        raise BadInput(f"no column {missing[0]!r}", where=table.path, mend=mend)
    found = [_given(table, row) for row in range(len(table))]
    source = Source(Path(table.path).name, table.sha256, len(found), {})
    return tagged(name, source, drawn(found, limit, seed))


def read_coarsewsd(name: str, path: Path, limit: int | None, seed: int) -> SenseDataset:
    """CoarseWSD-20 (Loureiro et al. 2021): twenty nouns in sentences of Wikipedia, senses as people would name them.

    Raises:
        BadInput: the file or its `classes.json` is damaged or missing.
    """
    table = read_plain_tsv(read_stored(path))
    classes = path.with_name("classes.json")
    try:
        names = parse_json(read_stored(classes).text())
        labels = [names[word][sense] for word, sense in zip(table.columns["word"], table.columns["class"], strict=True)]
    except (ValueError, KeyError, TypeError) as error:
        mend = "docs/data.md says what stands in it"
        raise BadInput(f"the names of the senses cannot be read: {error}", where=str(classes), mend=mend) from error
    columns = {**table.columns, "sense": [_said(label) for label in labels]}
    return read_tagged_rows(name, TextTable(columns, table.path, table.sha256, table.places), limit, seed)


def _said(label: str) -> str:
    """`bass guitar` for `bass_bass_guitar`."""
    return label.partition("_")[2].replace("_", " ").strip() or label


def _given(table: TextTable, row: int) -> Given:
    cells = {name: column[row].strip() for name, column in table.columns.items()}
    where = f"{table.path}, {table.unit} {table.places[row]}"
    words = tuple(cells["sentence"].split())
    if not cells["word"] or not cells["sense"]:
        raise BadInput("no word or no sense", where=where, mend="fill both, or leave the row out")
    split = cells.get("split", "")
    if split not in _SPLITS:
        raise BadInput(f"split is {split!r}", where=where, mend="it is train, test or empty")
    place = _place(cells, words, where)
    target = Target(place, place + 1, cells["word"], cells["sense"], cells["sense"])
    document = cells.get("document") or f"{table.places[row]:012d}"
    taught, tested = _SPLITS[split]
    return Given(words, document, (target,), taught, tested)


def _place(cells: Mapping[str, str], words: Sequence[str], where: str) -> int:
    index = cells.get("index", "")
    if index:
        if not index.isdigit() or int(index) >= len(words):
            mend = "count the sentence's words, apart by blanks, from 0"
            raise BadInput(f"there is no word {index} among the sentence's {len(words)}", where=where, mend=mend)
        return int(index)
    wanted = cells["word"].casefold()
    for place, word in enumerate(words):
        if wanted in (word.casefold(), word.casefold().strip(_MARKS)):
            return place
    mend = "give its place (from 0) in a column `index`, if it is written otherwise"
    raise BadInput(f"the sentence does not hold {cells['word']!r}", where=where, mend=mend)
