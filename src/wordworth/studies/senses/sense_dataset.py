"""Sentences with some of their words tagged by sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers

_LEAST = 10


class Target(NamedTuple):
    """A tagged word: the words from `start` to before `stop` of its sentence.

    `rank` is the sense's place in the dictionary where that has an order (1: its first sense), else 0.
    """

    start: int
    stop: int
    word: str
    sense: str
    label: str
    rank: int = 0


class Given(NamedTuple):
    """A sentence as it was read, and whether its targets teach centroids, are tested, or both."""

    words: tuple[str, ...]
    document: str
    targets: tuple[Target, ...]
    taught: bool = True
    tested: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its name, its hash, its rows or sentences, and what was left out of it and why."""

    path: str
    sha256: str
    rows: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SenseDataset:
    """A set of tagged sentences, those of one document together.

    Attributes:
        name: what the user calls it.
        source: the file.
        sentences: words of each.
        document: int64 [sentences], ascending.
        sentence: int64 [occurrences], ascending.
        span: int64 [occurrences, 2], first word and the one after the last.
        sense: int64 [occurrences], into `senses`.
        word: int64 [occurrences], into `words`.
        train_mask: bool [occurrences], whether it makes centroids (of other documents' occurrences).
        tested: bool [occurrences], whether its sense is to be found.
        words: names, sorted.
        senses: names, sorted, those of a word together.
        labels: what people call each sense.
        ranks: int64 [senses], 1 for a dictionary's first sense, 0 where it has no order.
        word_of: int64 [senses], into `words`, ascending.
        counts: int64 [senses], how often each is taught.
    """

    name: str
    source: Source
    sentences: tuple[tuple[str, ...], ...]
    document: Integers
    sentence: Integers
    span: Integers
    sense: Integers
    word: Integers
    train_mask: Flags
    tested: Flags
    words: tuple[str, ...]
    senses: tuple[str, ...]
    labels: tuple[str, ...]
    ranks: Integers
    word_of: Integers
    counts: Integers

    def form(self, occurrence: int) -> str:
        """The tagged words as written."""
        start, stop = self.span[occurrence]
        return " ".join(self.sentences[self.sentence[occurrence]][start:stop])


def tagged(name: str, source: Source, given: Sequence[Given]) -> SenseDataset:
    """The sentences in the order of their documents, with words and senses numbered.

    Raises:
        BadInput: fewer than ten tagged words, none of which could be tested, or no word of two senses.
    """
    rows = sorted((one for one in given if one.targets), key=lambda one: one.document)
    targets = [(place, target) for place, one in enumerate(rows) for target in one.targets]
    senses = {(t.word, t.sense): t for _, t in sorted(targets, key=lambda row: (row[1].word, row[1].sense))}
    words = sorted({word for word, _ in senses})
    number = {word: place for place, word in enumerate(words)}
    sense_number = {key: place for place, key in enumerate(senses)}
    documents = {document: place for place, document in enumerate(sorted({one.document for one in rows}))}
    _check(source, rows, Counter(word for word, _ in senses))
    taught = np.array([rows[place].taught for place, _ in targets], bool)
    sense = _ints([sense_number[t.word, t.sense] for _, t in targets])
    return SenseDataset(
        name=name,
        source=source,
        sentences=tuple(one.words for one in rows),
        document=_ints([documents[one.document] for one in rows]),
        sentence=_ints([place for place, _ in targets]),
        span=_ints([(t.start, t.stop) for _, t in targets]),
        sense=sense,
        word=_ints([number[t.word] for _, t in targets]),
        train_mask=taught,
        tested=np.array([rows[place].tested for place, _ in targets], bool),
        words=tuple(words),
        senses=tuple(sense for _, sense in senses),
        labels=tuple(t.label for t in senses.values()),
        ranks=_ints([t.rank for t in senses.values()]),
        word_of=_ints([number[word] for word, _ in senses]),
        counts=np.bincount(sense[taught], minlength=len(senses)).astype(np.int64),
    )


def drawn(given: Sequence[Given], limit: int | None, seed: int) -> Sequence[Given]:
    """At most so many of the sentences, in their order."""
    if limit is None or limit >= len(given):
        return given
    kept = np.sort(seeds.child(seed, "senses", "sentences").choice(len(given), limit, replace=False))
    return [given[place] for place in kept]


def _check(source: Source, rows: Sequence[Given], senses: Mapping[str, int]) -> None:
    taught = sum(len(one.targets) for one in rows if one.taught)
    tested = sum(len(one.targets) for one in rows if one.tested)
    if min(taught, tested) < _LEAST:
        what = f"{taught} tagged words to learn from and {tested} to test on are too few"
        raise BadInput(what, where=source.path, mend=f"give {_LEAST} or more of each")
    if max(senses.values()) == 1:
        raise BadInput("no word has two senses", where=source.path, mend="tag some word with two senses")


def _ints(values: Sequence[object]) -> Integers:
    return np.array(values, dtype=np.int64)
