"""The sentences that words are looked at in: read, without their repetitions, which are counted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.text.plain_tsv import read_plain_tsv
from wordworth.text.stored import read_stored
from wordworth.text.streams import Columns, file_sha256, stream

STS = "sts"
_STS_FILE = Path("sts", "sts_2012_2016.tsv.xz")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Different sentences in the order of their first appearance.

    Attributes:
        texts: each once.
        times: int64 [texts], how often each stood in the data.
        source: the file.
        sha256: of that file.
    """

    texts: tuple[str, ...]
    times: NDArray[np.int64]
    source: str
    sha256: str

    @property
    def given(self) -> int:
        """Sentences with their repetitions."""
        return int(self.times.sum())


def read_sentences(data: Path | str, column: str, limit: int | None, seed: int) -> Sentences:
    """The sentences of a file (.txt: a line each; or a column of texts), or of the shared set `sts`.

    Raises:
        BadInput: no such file or column, fewer than ten sentences, or `sts` is not on this machine.
    """
    path = _sts() if str(data) == STS and not Path(data).exists() else Path(data)
    read = (
        _both_sides(path) if path.name == _STS_FILE.name else (text for _, text in stream(path, Columns(text=column)))
    )
    return _distinct(read, limit, seed, path)


def _distinct(read: Iterable[str], limit: int | None, seed: int, path: Path) -> Sentences:
    counts = Counter(filter(None, map(str.strip, read)))
    if len(counts) < 10:  # noqa: PLR2004 - no word can be seen in five contexts, and no interval be drawn
        what = f"{len(counts)} different sentences are too few"
        raise BadInput(what, where=str(path), mend="give a file with a sentence a line, some hundreds at least")
    texts = list(counts)
    if limit is not None and limit < len(texts):
        chosen = np.sort(seeds.child(seed, "sentences").choice(len(texts), limit, replace=False))
        texts = [texts[place] for place in chosen]
    times = np.fromiter((counts[text] for text in texts), np.int64, count=len(texts))
    return Sentences(tuple(texts), times, path.name, file_sha256(path))


def _sts() -> Path:
    """The scored pairs of SemEval STS 2012 to 2016, which the paper used."""
    base = os.environ.get("WORDWORTH_DATA")
    path = Path(base) / _STS_FILE if base else None
    if path is None or not path.is_file():
        mend = f"set WORDWORTH_DATA to a folder with {_STS_FILE}, or give a file of sentences"
        raise BadInput("the STS sentences are not on this machine", where="--data sts", mend=mend)
    return path


def _both_sides(path: Path) -> Iterator[str]:
    columns = read_plain_tsv(read_stored(path), only=("sentence1", "sentence2")).columns
    for pair in zip(columns["sentence1"], columns["sentence2"], strict=True):
        yield from pair


def blocks(texts: tuple[str, ...], size: int) -> Iterator[list[str]]:
    """The texts, `size` at a time."""
    rest = iter(texts)
    while block := list(islice(rest, size)):
        yield block
