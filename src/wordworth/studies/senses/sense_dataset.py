"""`SenseDataset`: sentences with some of their words tagged by sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.sentence_formatting import count_of

_LEAST = 10


class Target(NamedTuple):
    """A word or phrase of a sentence that is tagged with its sense.

    Attributes:
        start, stop: index in the sentence of the target's first word, and of the word after its last.
        word: name of the word.
        sense: name of the sense.
        label: readable label of the sense.
        rank: rank of the sense in the dictionary, from 1; 0 if senses have no order.
    """

    start: int
    stop: int
    word: str
    sense: str
    label: str
    rank: int = 0


class TaggedSentence(NamedTuple):
    """A sentence with tagged words.

    Attributes:
        words: the words of the sentence.
        document: name of the document that the sentence is from.
        targets: the tagged words.
        in_train: whether the tagged words are training occurrences.
        tested: whether the tagged words are test occurrences.
    """

    words: tuple[str, ...]
    document: str
    targets: tuple[Target, ...]
    in_train: bool = True
    tested: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a data set was read from.

    Attributes:
        path: name of the file.
        sha256: SHA-256 of the file.
        rows: number of rows or sentences in the file.
        left_out: reason -> number of items that were left out for this reason.
    """

    path: str
    sha256: str
    rows: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SenseDataset:
    """Sentences with words tagged by sense, sorted by document.

    An occurrence is a tagged word in a sentence. The sense of a test occurrence is predicted from the training
    occurrences of other documents.

    Attributes:
        name: name of the set.
        seed_name: string that seeds random choices: the name of a published set, or a hash of the user's sentences.
        source: the file that the set was read from.
        sentences: the words of each sentence.
        document: int64 [sentences], a number that identifies each sentence's document, ascending.
        sentence: int64 [occurrences], the sentence of each occurrence, an index into `sentences`, ascending.
        span: int64 [occurrences, 2], index in the sentence of the occurrence's first word, and of the word after its
            last.
        sense: int64 [occurrences], the sense of each occurrence, an index into `senses`.
        word: int64 [occurrences], the word of each occurrence, an index into `words`.
        train_mask: bool [occurrences], True for training occurrences.
        tested: bool [occurrences], True for test occurrences; an occurrence may be both.
        words: names of the words, sorted.
        senses: names of the senses, sorted, the senses of a word together.
        labels: readable label of each sense.
        ranks: int64 [senses], rank of each sense in the dictionary, from 1; 0 if senses have no order.
        word_of: int64 [senses], the word of each sense as an index into `words`, ascending.
        counts: int64 [senses], number of training occurrences of each sense.
    """

    name: str
    seed_name: str
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
        """Return the tagged word or words of an occurrence as they are written in the sentence."""
        start, stop = self.span[occurrence]
        return " ".join(self.sentences[self.sentence[occurrence]][start:stop])


def build_dataset(name: str, source: Source, sentences: Sequence[TaggedSentence]) -> SenseDataset:
    """Return a data set of tagged sentences, sorted by document, with an index for each word and sense.

    Args:
        name: name of the set.
        source: the file that the sentences are from.
        sentences: the tagged sentences, in any order.

    Raises:
        BadInput: there are fewer than ten training or ten test occurrences, or no word has two senses.
    """
    rows = sorted((row for row in sentences if row.targets), key=lambda row: row.document)
    targets = [(index, target) for index, row in enumerate(rows) for target in row.targets]
    senses = {(t.word, t.sense): t for _, t in sorted(targets, key=lambda row: (row[1].word, row[1].sense))}
    words = sorted({word for word, _ in senses})
    number = {word: index for index, word in enumerate(words)}
    sense_number = {key: index for index, key in enumerate(senses)}
    documents = {document: index for index, document in enumerate(sorted({row.document for row in rows}))}
    _check(source, rows, Counter(word for word, _ in senses))
    train_mask = np.array([rows[index].in_train for index, _ in targets], bool)
    sense = _ints([sense_number[t.word, t.sense] for _, t in targets])
    return SenseDataset(
        name=name,
        seed_name=name,
        source=source,
        sentences=tuple(row.words for row in rows),
        document=_ints([documents[row.document] for row in rows]),
        sentence=_ints([index for index, _ in targets]),
        span=_ints([(t.start, t.stop) for _, t in targets]),
        sense=sense,
        word=_ints([number[t.word] for _, t in targets]),
        train_mask=train_mask,
        tested=np.array([rows[index].tested for index, _ in targets], bool),
        words=tuple(words),
        senses=tuple(sense for _, sense in senses),
        labels=tuple(t.label for t in senses.values()),
        ranks=_ints([t.rank for t in senses.values()]),
        word_of=_ints([number[word] for word, _ in senses]),
        counts=np.bincount(sense[train_mask], minlength=len(senses)).astype(np.int64),
    )


def sample_sentences(sentences: Sequence[TaggedSentence], limit: int | None, seed: int) -> Sequence[TaggedSentence]:
    """Return at most `limit` of the sentences, drawn at random and kept in order; all of them if `limit` is None.

    Args:
        sentences: all sentences.
        limit: most sentences to return; None returns all.
        seed: seed of the draw.
    """
    if limit is None:
        return sentences
    kept = seeds.sorted_sample(seeds.child(seed, "senses", "sentences"), len(sentences), limit)
    return [sentences[index] for index in kept]


def _check(source: Source, rows: Sequence[TaggedSentence], senses: Mapping[str, int]) -> None:
    training = sum(len(row.targets) for row in rows if row.in_train)
    tested = sum(len(row.targets) for row in rows if row.tested)
    if min(training, tested) < _LEAST:
        what = f"{count_of(training, 'tagged word')} to learn from and {tested} to test on are too few"
        raise BadInput(what, where=source.path, mend=f"give {_LEAST} or more of each")
    if max(senses.values()) == 1:
        raise BadInput("no word has two senses", where=source.path, mend="tag at least one word with two senses")


def _ints(values: Sequence[object]) -> Integers:
    return np.array(values, dtype=np.int64)
