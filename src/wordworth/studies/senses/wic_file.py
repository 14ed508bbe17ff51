"""Pairs of sentences with a word in both, in the same sense or not: WiC (Pilehvar and Camacho-Collados 2019)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.studies.senses.sense_dataset import Source
from wordworth.text.tables.table import TextTable

NEEDED = ("split", "word", "indices", "sentence1", "sentence2", "label")
SPLITS = ("train", "dev", "test")
_SAME = {"T": True, "TRUE": True, "1": True, "F": False, "FALSE": False, "0": False}
_PLACES = re.compile(r"(\d+)-(\d+)")
_LEAST = 10


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs by split.

    Attributes:
        name: what the user calls it.
        source: the file.
        sentences: words of both sentences of each pair: those of pair i are 2 i and 2 i + 1.
        place: int64 [pairs, 2], the word in each.
        same: bool [pairs], whether it has one sense in both.
        word: of each pair.
        split: of each pair, one of `SPLITS`.
    """

    name: str
    source: Source
    sentences: tuple[tuple[str, ...], ...]
    place: Integers
    same: Flags
    word: tuple[str, ...]
    split: tuple[str, ...]

    def of(self, split: str) -> Flags:
        """Which pairs are of a split; bool [pairs]."""
        return np.array([one == split for one in self.split], bool)


def read_pairs(name: str, table: TextTable, limit: int | None, seed: int) -> Pairs:
    """Rows `split, word, indices, sentence1, sentence2, label`.

    `indices` are the word's places, as `2-6`, from 0 among each sentence's words, apart by blanks; `label` is T or F.

    Raises:
        BadInput: a column or a split is missing, or a row cannot be read or is of no known split; names the line.
    """
    missing = [column for column in NEEDED if column not in table.columns]
    if missing:
        mend = f"it has {', '.join(table.columns)}; rename a column"
        raise BadInput(f"no column {missing[0]!r}", where=table.path, mend=mend)
    splits = [_split(table, row) for row in range(len(table))]
    kept = _drawn(splits, limit, seed)
    for split in ("train", "test"):
        if sum(splits[row] == split for row in kept) < _LEAST:
            what = f"fewer than {_LEAST} pairs of split {split!r}"
            raise BadInput(what, where=table.path, mend="the threshold is fitted on train and used on test")
    rows = [_pair(table, row) for row in kept]
    return Pairs(
        name=name,
        source=Source(Path(table.path).name, table.sha256, len(table), {}),
        sentences=tuple(words for both, _, _ in rows for words in both),
        place=np.array([place for _, place, _ in rows], np.int64),
        same=np.array([same for _, _, same in rows], bool),
        word=tuple(table.columns["word"][row] for row in kept),
        split=tuple(splits[row] for row in kept),
    )


def _split(table: TextTable, row: int) -> str:
    split = table.columns["split"][row].strip()
    if split not in SPLITS:
        raise BadInput(f"split is {split!r}", where=_where(table, row), mend=f"it is one of {', '.join(SPLITS)}")
    return split


def _where(table: TextTable, row: int) -> str:
    return f"{table.path}, {table.unit} {table.places[row]}"


def _drawn(splits: Sequence[str], limit: int | None, seed: int) -> list[int]:
    """At most so many rows of each split."""
    found = list[int]()
    for split in SPLITS:
        mine = [row for row, one in enumerate(splits) if one == split]
        if limit is not None and limit < len(mine):
            rng = seeds.child(seed, "senses", "pairs", split)
            mine = [mine[place] for place in np.sort(rng.choice(len(mine), limit, replace=False))]
        found += mine
    return found


_Pair = tuple[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, int], bool]


def _pair(table: TextTable, row: int) -> _Pair:
    where = _where(table, row)
    cells = {name: table.columns[name][row].strip() for name in NEEDED}
    places, label = _PLACES.fullmatch(cells["indices"]), cells["label"].upper()
    if places is None:
        raise BadInput(f"indices are {cells['indices']!r}", where=where, mend="give them as 2-6, counted from 0")
    if label not in _SAME:
        raise BadInput(f"the label is {cells['label']!r}", where=where, mend="give T or F")
    both = (tuple(cells["sentence1"].split()), tuple(cells["sentence2"].split()))
    first, second = int(places[1]), int(places[2])
    if first >= len(both[0]) or second >= len(both[1]):
        mend = "count each sentence's words, apart by blanks, from 0"
        raise BadInput(f"a sentence has no word {cells['indices']}", where=where, mend=mend)
    return both, (first, second), _SAME[label]
