"""`Part`: the examples and labels of one part of a published data set, whichever files they came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from wordworth.records import Finding
from wordworth.tasks.task import Examples, Labels, Origin
from wordworth.text.raw_file import RawFile

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Part:
    """One part (train, dev, test).

    Attributes:
        labels: as `Task.labels`.
        origins: the files it was read from, in order.
        notes: what is worth knowing about them, findings named `warning.*` and `method.*`.
    """

    examples: Examples
    labels: Labels
    origins: tuple[Origin, ...]
    notes: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.examples)


Reader = Callable[[RawFile], Part]
"""A file in, its part out; raises BadInput naming the line where the file is not what its name says."""


def origin(stored: RawFile, rows: int) -> Origin:
    """The record of a file that gave so many rows."""
    return Origin(stored.path, stored.sha256, rows)


def joined(parts: Sequence[Part]) -> Part:
    """Parts one after the other; their documents are numbered through, ids are kept as they are."""
    if len(parts) == 1:
        return parts[0]
    examples = [part.examples for part in parts]
    return Part(
        Examples(
            tuple(chain.from_iterable(one.first for one in examples)),
            _seconds(examples),
            _chained([one.words for one in examples]),
            _chained([one.options for one in examples]),
            _chained([one.ids for one in examples]),
            _numbered_through([one.documents for one in examples]),
        ),
        _labels([part.labels for part in parts]),
        tuple(chain.from_iterable(part.origins for part in parts)),
        tuple(chain.from_iterable(part.notes for part in parts)),
    )


def _chained(columns: Sequence[tuple[Value, ...] | None]) -> tuple[Value, ...] | None:
    there = [column for column in columns if column is not None]
    return tuple(chain.from_iterable(there)) if len(there) == len(columns) else None


def _seconds(examples: Sequence[Examples]) -> tuple[str, ...] | None:
    """All second texts; "" where one part has none and another has."""
    if all(one.second is None for one in examples):
        return None
    return tuple(chain.from_iterable(one.second or ("",) * len(one) for one in examples))


def _numbered_through(columns: Sequence[tuple[int, ...] | None]) -> tuple[int, ...] | None:
    found: list[int] = []
    for column in columns:
        if column is None:
            return None
        before = found[-1] + 1 if found else 0
        found += [before + number for number in column]
    return tuple(found)


def _labels(parts: Sequence[Labels]) -> Labels:
    arrays = [labels for labels in parts if isinstance(labels, np.ndarray)]
    if len(arrays) == len(parts):
        return np.concatenate(arrays)
    return tuple(chain.from_iterable(parts))
