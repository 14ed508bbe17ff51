"""Read the sentences of the study `context`: each different sentence once, with word senses if the data have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.sentence_formatting import count_of
from wordworth.studies.senses.datasets import CATALOGUE, read_sets, refuse_unknown_name
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.tagged_file import NEEDED
from wordworth.studies.word_explorer_tables import UNKNOWN
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import file_sha256, is_file, read_raw

_LEAST, _SENSES = 3, 2


@dataclass(frozen=True, slots=True)
class Tags:
    """The tagged words: the words in the sentences for which the data name a sense, ordered by sentence.

    Attributes:
        sentence: int64 [tags], the index of the sentence of each tagged word, ascending.
        start: int64 [tags], the character position of the tagged word's first letter or digit in its sentence.
        sense: int64 [tags], the sense of each tagged word, an index into `labels`.
        labels: for each sense its readable label, and the word that has this sense.
        several: lower-case form of a word with at least two senses that are each tagged three times or more -> the
            sentences in which the word is tagged, int64, ascending. The word that is tagged most often comes first.
    """

    sentence: Integers
    start: Integers
    sense: Integers
    labels: tuple[tuple[str, str], ...]
    several: Mapping[str, Integers]

    @classmethod
    def of(cls, tagged: SenseDataset, texts: Sequence[str]) -> Tags:
        """Return the sense tags of the sentences of a study.

        If a sentence occurs several times in the data, its first occurrence gives the tags.

        Args:
            tagged: the data set of tagged words.
            texts: the sentences of the study, each once.
        """
        index_of = {text: index for index, text in enumerate(texts)}
        begins = [_begins(words) for words in tagged.sentences]
        sentence_index = [index_of.get(sentence_text(words), UNKNOWN) for words in tagged.sentences]
        rows = np.array(
            [
                (sentence_index[sentence], begins[sentence][start], sense)
                for sentence, (start, _), sense in zip(tagged.sentence, tagged.span, tagged.sense, strict=True)
            ],
            np.int64,
        )
        _, first = np.unique(rows[:, :2], axis=0, return_index=True)
        rows_used = first[rows[first, 0] != UNKNOWN]
        names = ((tagged.labels[sense], tagged.words[word]) for sense, word in enumerate(tagged.word_of))
        sentences, starts, senses = rows[rows_used].T.copy()
        return cls(sentences, starts, senses, tuple(names), _several(tagged, rows_used, sentences))

    def at(self, sentence: int, start: int) -> int:
        """Return the sense of a tagged word, as an index into `labels`; `UNKNOWN` if there is no tagged word.

        Args:
            sentence: index of the sentence.
            start: the character position of the word's first letter or digit in the sentence.
        """
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        matches = np.flatnonzero(self.start[low:high] == start)
        return int(self.sense[low + matches[0]]) if len(matches) else UNKNOWN

    def starts(self, sentence: int) -> Integers:
        """Return the character positions in a sentence at which its tagged words start, int64 [tagged words]."""
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        return self.start[low:high]


def sentence_text(words: Sequence[str]) -> str:
    """Join the words of a sentence into a text."""
    return " ".join(words)


def _begins(words: Sequence[str]) -> list[int]:
    """Return the position of each word's first letter or digit in the text; of its first character if it has none."""
    befores = accumulate((len(word) + 1 for word in words), initial=0)
    return [
        before + next((offset for offset, character in enumerate(word) if character.isalnum()), 0)
        for before, word in zip(befores, words, strict=False)
    ]


def _several(tagged: SenseDataset, occurrences: Integers, sentences: Integers) -> dict[str, Integers]:
    counts, where = Counter[tuple[str, int]](), dict[str, list[int]]()
    for occurrence, sentence in zip(occurrences.tolist(), sentences.tolist(), strict=True):
        form = tagged.form(occurrence).lower()
        counts[form, int(tagged.sense[occurrence])] += 1
        where.setdefault(form, []).append(sentence)
    senses = Counter(form for (form, _), count in counts.items() if count >= _LEAST)
    fit = [form for form in where if senses[form] >= _SENSES]
    order = sorted(fit, key=lambda form: (-len(where[form]), form))
    return {form: np.unique(np.array(where[form], np.int64)) for form in order}


STS = "sts"
_STS_FILE = Path("sts", "sts_2012_2016.tsv")


@dataclass(frozen=True, slots=True)
class Sentences:
    """The different sentences of a file, in the order of their first occurrence.

    Attributes:
        texts: the sentences, each once.
        times: int64 [texts], the number of times that each sentence occurs in the file.
        source: name of the file.
        sha256: hash of the file.
        rows: number of sentences in the file, with repetitions, including those not used.
        tags: the words for which the data name a sense; None for data without tags.
    """

    texts: tuple[str, ...]
    times: NDArray[np.int64]
    source: str
    sha256: str
    rows: int
    tags: Tags | None = None

    @property
    def total(self) -> int:
        """Number of sentences used, counting each as often as it occurs in the file."""
        return int(self.times.sum())


def read_sentences(data: Path | str, column: str, limit: int | None, seed: int) -> Sentences:
    """Read the sentences of a file, or of a published data set in the folder WORDWORTH_DATA.

    A .txt file has one sentence per line. Other files have a column of texts; a file without that column may have the
    columns word, sense and sentence instead, with one row per tagged word, as `study senses` reads it.

    Args:
        data: path of the file, or name of the data set: `sts`, or with senses `semcor` or `coarsewsd`.
        column: name of the column of texts.
        limit: use at most this many different sentences, drawn at random; None for all.
        seed: seed of that draw.

    Raises:
        BadInput: the file or column does not exist, the file has fewer than ten different sentences, or the data set is
            not on this machine.
    """
    named = not is_file(data)
    if (named and str(data) in CATALOGUE) or _has_tags(Path(data), column):
        return _read_tagged(str(data), limit, seed)
    path = _sts() if str(data) == STS and named else Path(data)
    refuse_unknown_name(str(path), (STS, "semcor", "coarsewsd"))
    both = path.name.startswith(_STS_FILE.name)
    read = _both_sides(path) if both else (text for _, text in iterate_texts(path, column))
    texts, times, rows = _distinct(read, limit, seed, str(path))
    return Sentences(texts, times, path.name, file_sha256(path), rows)


def _read_tagged(data: str, limit: int | None, seed: int) -> Sentences:
    (of,) = read_sets(SensesSettings(data=(data,)))
    if not isinstance(of, SenseDataset):
        mend = "give semcor, coarsewsd, or a file with columns word, sense and sentence"
        raise BadInput("these are pairs of sentences, not tagged words", where=f"--data {data}", mend=mend)
    texts, times, rows = _distinct(map(sentence_text, of.sentences), limit, seed, of.source.path)
    return Sentences(texts, times, of.source.path, of.source.sha256, rows, Tags.of(of, texts))


def _has_tags(path: Path, column: str) -> bool:
    """Return True for a file with the columns of tagged words and without the column of texts."""
    return is_file(path) and all(_has(path, name) for name in NEEDED) and not _has(path, column)


def _has(path: Path, column: str) -> bool:
    try:
        next(iterate_texts(path, column), None)
    except BadInput:  # no such column, or a damaged file, which is reported when the file is read
        return False
    return True


def _distinct(
    read: Iterable[str], limit: int | None, seed: int, where: str
) -> tuple[tuple[str, ...], NDArray[np.int64], int]:
    """Return the different sentences, the number of times that each occurs, and the number of all sentences."""
    counts = Counter(filter(None, map(str.strip, read)))
    if len(counts) < 10:  # noqa: PLR2004 - no word can be seen in five contexts, and no interval be drawn
        what = f"{count_of(len(counts), 'different sentence is', 'different sentences are')} too few"
        raise BadInput(what, where=where, mend="give a file with one sentence per line, some hundreds at least")
    texts = list(counts)
    if limit is not None:
        chosen = seeds.sorted_sample(seeds.child(seed, "sentences"), len(texts), limit)
        texts = [texts[index] for index in chosen]
    times = np.fromiter((counts[text] for text in texts), np.int64, count=len(texts))
    return tuple(texts), times, counts.total()


def _sts() -> Path:
    """Return the path of the sentence pairs of SemEval STS 2012 to 2016, whose sentences Ethayarajh (2019) used."""
    path = shared_file(_STS_FILE)
    if path is None:
        mend = f"set WORDWORTH_DATA to a folder with {_STS_FILE} (docs/data.md says what is in it), or give a file"
        raise BadInput("the STS sentences are not on this machine", where="--data sts", mend=mend)
    return path


def _both_sides(path: Path) -> Iterator[str]:
    columns = read_plain_tsv(read_raw(path), only=("sentence1", "sentence2")).columns
    for pair in zip(columns["sentence1"], columns["sentence2"], strict=True):
        yield from pair
