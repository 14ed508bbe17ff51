"""`Part`: the examples and labels of one part of a published data set, whatever files they came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from wordworth.records import Finding
from wordworth.tasks.examples import Examples, Labels, Origin
from wordworth.text.read_compressed_file import RawFile

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Part:
    """One part (train, dev or test) of a data set.

    Attributes:
        examples: the inputs.
        labels: the labels, in the form of `Task.labels`.
        origins: the files that the part was read from, in order.
        notes: findings about these files, named `warning.*` and `method.*`.
    """

    examples: Examples
    labels: Labels
    origins: tuple[Origin, ...]
    notes: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.examples)


Reader = Callable[[RawFile], Part]
"""A function that reads a file as a part; it raises BadInput, naming the line, if the file is not as expected."""


def origin(file: RawFile, rows: int) -> Origin:
    """Return the path, hash and number of rows of a file, for the `record.json` of a run.

    Args:
        file: the file that was read.
        rows: number of rows that were read from it.
    """
    return Origin(file.path, file.sha256, rows)


def joined(parts: Sequence[Part]) -> Part:
    """Return the parts of data sets concatenated to one part.

    Documents are renumbered consecutively; ids stay as they are.
    """
    if len(parts) == 1:
        return parts[0]
    examples = [part.examples for part in parts]
    return Part(
        Examples(
            tuple(chain.from_iterable(part_examples.first for part_examples in examples)),
            _seconds(examples),
            _chained([part_examples.words for part_examples in examples]),
            _chained([part_examples.options for part_examples in examples]),
            _chained([part_examples.ids for part_examples in examples]),
            _consecutive_documents([part_examples.documents for part_examples in examples]),
        ),
        _labels([part.labels for part in parts]),
        tuple(chain.from_iterable(part.origins for part in parts)),
        tuple(chain.from_iterable(part.notes for part in parts)),
    )


def _chained(columns: Sequence[tuple[Value, ...] | None]) -> tuple[Value, ...] | None:
    present = [column for column in columns if column is not None]
    return tuple(chain.from_iterable(present)) if len(present) == len(columns) else None


def _seconds(examples: Sequence[Examples]) -> tuple[str, ...] | None:
    """Return the second texts of all parts, "" for parts without second texts; None if no part has any."""
    if all(part_examples.second is None for part_examples in examples):
        return None
    return tuple(chain.from_iterable(part_examples.second or ("",) * len(part_examples) for part_examples in examples))


def _consecutive_documents(columns: Sequence[tuple[int, ...] | None]) -> tuple[int, ...] | None:
    numbers: list[int] = []
    for column in columns:
        if column is None:
            return None
        before = numbers[-1] + 1 if numbers else 0
        numbers += [before + number for number in column]
    return tuple(numbers)


def _labels(parts: Sequence[Labels]) -> Labels:
    arrays = [labels for labels in parts if isinstance(labels, np.ndarray)]
    if len(arrays) == len(parts):
        return np.concatenate(arrays)
    return tuple(chain.from_iterable(parts))
