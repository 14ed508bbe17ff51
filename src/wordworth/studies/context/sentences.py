"""The sentences that words are looked at in: read, without their repetitions, which are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.studies.context.sense_tags import Tags, written
from wordworth.studies.senses.datasets import CATALOGUE, read_sets
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.tagged_file import NEEDED
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.text.raw_file import read_stored
from wordworth.text.streams import Columns, file_sha256, stream
from wordworth.text.tables.tsv import read_plain_tsv

STS = "sts"
_STS_FILE = Path("sts", "sts_2012_2016.tsv")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Different sentences in the order of their first appearance.

    Attributes:
        texts: each once.
        times: int64 [texts], how often each stood in the data.
        source: the file.
        sha256: of that file.
        rows: how many sentences the file holds, repetitions with them, whether or not all were taken.
        tags: which of their words are tagged with a sense; None where nobody tagged any.
    """

    texts: tuple[str, ...]
    times: NDArray[np.int64]
    source: str
    sha256: str
    rows: int
    tags: Tags | None = None

    @property
    def given(self) -> int:
        """The sentences that were taken, with their repetitions."""
        return int(self.times.sum())


def read_sentences(data: Path | str, column: str, limit: int | None, seed: int) -> Sentences:
    """The sentences of a file, or of a set that WORDWORTH_DATA has: `sts`, or with senses `semcor` and `coarsewsd`.

    A .txt has a sentence a line; other files have a column of texts, or a row a tagged word as `study senses` reads
    them (columns word, sense and sentence, and none that is called `column`).

    Raises:
        BadInput: no such file or column, fewer than ten sentences, or the set is not on this machine.
    """
    named = not Path(data).is_file()
    if (named and str(data) in CATALOGUE) or _has_tags(Path(data), column):
        return _of_tagged(str(data), limit, seed)
    path = _sts() if str(data) == STS and named else Path(data)
    both = path.name.startswith(_STS_FILE.name)
    read = _both_sides(path) if both else (text for _, text in stream(path, Columns(text=column)))
    texts, times, rows = _distinct(read, limit, seed, str(path))
    return Sentences(texts, times, path.name, file_sha256(path), rows)


def _of_tagged(data: str, limit: int | None, seed: int) -> Sentences:
    (of,) = read_sets(SensesSettings(data=(data,)))
    if not isinstance(of, SenseDataset):
        mend = "give semcor, coarsewsd, or a file with columns word, sense and sentence"
        raise BadInput("these are pairs of sentences, not tagged words", where=f"--data {data}", mend=mend)
    texts, times, rows = _distinct(map(written, of.sentences), limit, seed, of.source.path)
    return Sentences(texts, times, of.source.path, of.source.sha256, rows, Tags.of(of, texts))


def _has_tags(path: Path, column: str) -> bool:
    """A .txt, whose lines have no columns, is as if it had them all."""
    return path.is_file() and all(_has(path, name) for name in NEEDED) and not _has(path, column)


def _has(path: Path, column: str) -> bool:
    try:
        next(stream(path, Columns(text=column)), None)
    except BadInput:  # no such column, or a damaged file: of which whoever reads it whole will tell
        return False
    return True


def _distinct(
    read: Iterable[str], limit: int | None, seed: int, where: str
) -> tuple[tuple[str, ...], NDArray[np.int64], int]:
    """Different sentences, how often each was there, and how many there were before any were drawn."""
    counts = Counter(filter(None, map(str.strip, read)))
    if len(counts) < 10:  # noqa: PLR2004 - no word can be seen in five contexts, and no interval be drawn
        what = f"{len(counts)} different sentences are too few"
        raise BadInput(what, where=where, mend="give a file with a sentence a line, some hundreds at least")
    texts = list(counts)
    if limit is not None and limit < len(texts):
        chosen = np.sort(seeds.child(seed, "sentences").choice(len(texts), limit, replace=False))
        texts = [texts[place] for place in chosen]
    times = np.fromiter((counts[text] for text in texts), np.int64, count=len(texts))
    return tuple(texts), times, counts.total()


def _sts() -> Path:
    """The scored pairs of SemEval STS 2012 to 2016, which the paper used."""
    path = shared_file(_STS_FILE)
    if path is None:
        mend = f"set WORDWORTH_DATA to a folder with {_STS_FILE} (docs/data.md says what is in it), or give a file"
        raise BadInput("the STS sentences are not on this machine", where="--data sts", mend=mend)
    return path


def _both_sides(path: Path) -> Iterator[str]:
    columns = read_plain_tsv(read_stored(path), only=("sentence1", "sentence2")).columns
    for pair in zip(columns["sentence1"], columns["sentence2"], strict=True):
        yield from pair
