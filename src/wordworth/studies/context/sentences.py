"""Reads the sentences of the study, each once, with the number of its repetitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.studies.context.sense_tags import Tags, written
from wordworth.studies.senses.datasets import CATALOGUE, read_sets
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.tagged_file import NEEDED
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.raw_file import read_raw

STS = "sts"
_STS_FILE = Path("sts", "sts_2012_2016.tsv")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Different sentences in the order of their first appearance.

    Attributes:
        texts: the sentences, each once.
        times: int64 [texts], how often each is in the data.
        source: name of the file.
        sha256: of that file.
        rows: the number of sentences in the file, with repetitions, whether or not all were used.
        tags: which of their words are tagged with a sense; None for data without tags.
    """

    texts: tuple[str, ...]
    times: NDArray[np.int64]
    source: str
    sha256: str
    rows: int
    tags: Tags | None = None

    @property
    def given(self) -> int:
        """The number of sentences used, with repetitions."""
        return int(self.times.sum())


def read_sentences(data: Path | str, column: str, limit: int | None, seed: int) -> Sentences:
    """Read the sentences of a file, or of a set in WORDWORTH_DATA: `sts`, or with senses `semcor` and `coarsewsd`.

    A .txt has one sentence per line. Other files have a column of texts, or one row per tagged word as `study senses`
    reads them (columns word, sense and sentence, and none named `column`).

    Args:
        data: path of the file, or name of the set.
        column: name of the column of texts.
        limit: use at most this many different sentences, drawn at random; None for all.
        seed: seed of that draw.

    Raises:
        BadInput: the file or column does not exist, it has fewer than ten sentences, or the set is not on this machine.
    """
    named = not Path(data).is_file()
    if (named and str(data) in CATALOGUE) or _has_tags(Path(data), column):
        return _read_tagged(str(data), limit, seed)
    path = _sts() if str(data) == STS and named else Path(data)
    both = path.name.startswith(_STS_FILE.name)
    read = _both_sides(path) if both else (text for _, text in iterate_texts(path, column))
    texts, times, rows = _distinct(read, limit, seed, str(path))
    return Sentences(texts, times, path.name, sha256(path), rows)


def _read_tagged(data: str, limit: int | None, seed: int) -> Sentences:
    (of,) = read_sets(SensesSettings(data=(data,)))
    if not isinstance(of, SenseDataset):
        mend = "give semcor, coarsewsd, or a file with columns word, sense and sentence"
        raise BadInput("these are pairs of sentences, not tagged words", where=f"--data {data}", mend=mend)
    texts, times, rows = _distinct(map(written, of.sentences), limit, seed, of.source.path)
    return Sentences(texts, times, of.source.path, of.source.sha256, rows, Tags.of(of, texts))


def _has_tags(path: Path, column: str) -> bool:
    """Whether the file has the columns of tagged words; a .txt, which has no columns, counts as having `column`."""
    return path.is_file() and all(_has(path, name) for name in NEEDED) and not _has(path, column)


def _has(path: Path, column: str) -> bool:
    try:
        next(iterate_texts(path, column), None)
    except BadInput:  # no such column, or a damaged file, which is reported when the file is read
        return False
    return True


def _distinct(
    read: Iterable[str], limit: int | None, seed: int, where: str
) -> tuple[tuple[str, ...], NDArray[np.int64], int]:
    """Return the different sentences, how often each occurs, and the number of all before any draw."""
    counts = Counter(filter(None, map(str.strip, read)))
    if len(counts) < 10:  # noqa: PLR2004 - no word can be seen in five contexts, and no interval be drawn
        what = f"{len(counts)} different sentences are too few"
        raise BadInput(what, where=where, mend="give a file with one sentence per line, some hundreds at least")
    texts = list(counts)
    if limit is not None and limit < len(texts):
        chosen = np.sort(seeds.child(seed, "sentences").choice(len(texts), limit, replace=False))
        texts = [texts[index] for index in chosen]
    times = np.fromiter((counts[text] for text in texts), np.int64, count=len(texts))
    return tuple(texts), times, counts.total()


def _sts() -> Path:
    """Return the file of scored pairs of SemEval STS 2012 to 2016, which the paper used."""
    path = shared_file(_STS_FILE)
    if path is None:
        mend = f"set WORDWORTH_DATA to a folder with {_STS_FILE} (docs/data.md says what is in it), or give a file"
        raise BadInput("the STS sentences are not on this machine", where="--data sts", mend=mend)
    return path


def _both_sides(path: Path) -> Iterator[str]:
    columns = read_plain_tsv(read_raw(path), only=("sentence1", "sentence2")).columns
    for pair in zip(columns["sentence1"], columns["sentence2"], strict=True):
        yield from pair
