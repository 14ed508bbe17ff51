"""`Fold`: a split of sequences into training, validation and test parts; each group is in one part only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.text.captioned_sequences import PARTS, CaptionedSequences, Numbers
from wordworth.text_format import count_of

_LEAST = 3
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Fold:
    """A split of sequences: the indices of training, validation and test sequences, int64 [n] each, ascending."""

    train: Numbers
    valid: Numbers
    test: Numbers


def folds_of(sequences: CaptionedSequences, folds: int, seed: int) -> list[Fold]:
    """Return the folds of cross-validation by groups; a single fold if the table has a column of parts.

    Groups are divided at random into as many sets as folds. Each set is the test part of one fold, and the next set is
    its validation part.

    Args:
        sequences: the sequences with their groups.
        folds: the number of folds; with fewer groups than that, the number of groups.
        seed: seed of the division of groups.

    Raises:
        BadInput: there are fewer than three groups, or a part has fewer than two sequences.
    """
    if sequences.parts is not None:
        parts = np.array(sequences.parts)
        made = [Fold(*(np.flatnonzero(parts == part) for part in PARTS))]
    else:
        names = sorted(set(sequences.groups))
        if len(names) < _LEAST:
            what = f"{count_of(len(names), 'group')}: with {_LEAST} or more some train, some validate, some test"
            raise BadInput(what, where=sequences.table.path, mend="give sequences of more speakers or films")
        number = min(folds, len(names))
        order = seeds.child(seed, "crossmodal", "folds").permutation(len(names)).tolist()
        of_group = {names[group]: rank % number for rank, group in enumerate(order)}
        fold = np.array([of_group[group] for group in sequences.groups])
        made = [
            Fold(
                np.flatnonzero((fold != tested) & (fold != (tested + 1) % number)),
                np.flatnonzero(fold == (tested + 1) % number),
                np.flatnonzero(fold == tested),
            )
            for tested in range(number)
        ]
    for each in made:
        for part, rows in zip(PARTS, (each.train, each.valid, each.test), strict=True):
            if len(rows) < _PAIR:
                what = f"{count_of(len(rows), 'sequence')} in the part {part!r}, and two are needed to tell pairs apart"
                raise BadInput(what, where=sequences.table.path, mend="give more sequences")
    return made
