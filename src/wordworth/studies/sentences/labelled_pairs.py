"""`LabelledPairs`: pairs of texts with a class each, from the user's file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.tasks.checks.duplicates import groups
from wordworth.tasks.examples import Origin
from wordworth.tasks.reading.parse_numbers_with_units import are_amounts
from wordworth.tasks.reading.sentence_rows import SentenceColumns, SentenceRows, read_sentences
from wordworth.tasks.stratified_split import fold

LEAST = 60
FOLDS = 3
_MOST_CLASSES = 50
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """n pairs of texts, each with a class, such as premises and hypotheses with their relation.

    Attributes:
        first: the first text of each pair.
        second: the second text of each pair.
        labels: int64 [n], the class of each pair, as an index into `classes`.
        classes: the names of the classes.
        origin: the file that the pairs were read from.
        rows: number of pairs in the file, at least n: a large file is sampled.
        key: a hash of the pairs, which seeds random choices.
        notes: findings about how the file was read.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    labels: Integers
    classes: tuple[str, ...]
    origin: Origin
    rows: int
    key: str
    notes: tuple[Finding, ...]

    def __len__(self) -> int:
        return len(self.first)

    @property
    def groups(self) -> Integers:
        """The number of each pair's group, int64 [n]; the pairs with the same first text are one group."""
        return groups(self.first)

    def folds(self, seed: int) -> tuple[Integers, ...]:
        """Divide the pairs into stratified folds, and return the indices of each fold's pairs, int64 [m] each.

        Pairs with the same first text are in the same fold.

        Args:
            seed: seed of the study.
        """
        return fold(self.groups, self.labels, FOLDS, seeds.child(seed, "sentences", "folds", self.key))


def read_labelled_pairs(settings: SentencesSettings) -> LabelledPairs | None:
    """Read the labelled pairs that the settings name, at most `limit` of them; None if they name no file.

    Args:
        settings: settings of the study.

    Raises:
        BadInput: the file cannot be read, its labels are no classes, or it has too few pairs or too few different first
            texts.
    """
    if settings.labelled_pairs is None:
        return None
    columns = SentenceColumns(text=settings.text, text_b=settings.text_b, label=settings.label)
    rows = read_sentences(Path(settings.labelled_pairs), columns)
    total, key = len(rows), content_key(*rows.first, *rows.second, *rows.labels)
    rows = rows.take(seeds.sorted_sample(seeds.child(settings.seed, "sentences", key), total, settings.limit))
    classes = _classes(rows)
    labels = np.array([classes.index(label) for label in rows.labels], dtype=np.int64)
    _require_enough(rows, labels, total)
    return LabelledPairs(rows.first, rows.second, labels, classes, rows.origin, total, key, rows.notes)


def _classes(rows: SentenceRows) -> tuple[str, ...]:
    """Return the classes, sorted: the distinct labels of the rows.

    Raises:
        BadInput: there is only one distinct label or too many, or the labels are scores.
    """
    classes = tuple(sorted(set(rows.labels)))
    mend = f"give from 2 to {_MOST_CLASSES} classes, or pairs with a score as --data"
    if not 1 < len(classes) <= _MOST_CLASSES:
        what = f"column {rows.label!r} has {count_of(len(classes), 'label', 'different labels')}"
        raise BadInput(what, where=rows.origin.path, mend=mend)
    if are_amounts(classes):
        raise BadInput(f"column {rows.label!r} holds scores, not classes", where=rows.origin.path, mend=mend)
    return classes


def _require_enough(rows: SentenceRows, labels: Integers, total: int) -> None:
    """Raise BadInput if the sampled pairs are too few for folds; `total` is the number of pairs in the file."""
    rarest, texts = int(np.bincount(labels).min()), len(set(rows.first))
    if len(rows) < LEAST or rarest < FOLDS:
        what = f"{len(rows)} pairs, {rarest} of the rarest class, are too few to learn from"
        mend = f"give {LEAST} pairs or more, {FOLDS} or more of each class"
        raise BadInput(what, where=rows.origin.path, mend=mend if len(rows) == total else "give a larger --limit")
    if texts < FOLDS:
        what = f"the pairs have {count_of(texts, 'first text')}, and no first text is both learned from and tested on"
        raise BadInput(what, where=rows.origin.path, mend=f"give pairs of {FOLDS} first texts or more")
