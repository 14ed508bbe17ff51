"""`Fold`: a split of sequences into training, validation and test parts; each group is in one part only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.text.captioned_sequences import PARTS, CaptionedSequences, Numbers

Parts = NDArray[np.str_]
"""The part of each sequence, str [n]."""
_LEAST = 3
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Fold:
    """A split of sequences: the indices of training, validation and test sequences, int64 [n] each, ascending.

    Validation and test sequences have words and codes; training sequences may have only words or only codes.
    """

    train: Numbers
    valid: Numbers
    test: Numbers


def folds_of(sequences: CaptionedSequences, folds: int, seed: int) -> list[Fold]:
    """Return the folds of cross-validation by groups; a single fold if the table has a column of parts.

    Groups are divided at random into as many sets as folds. Each set is the test part of one fold, and the next set is
    its validation part. Groups in which no sequence has both words and codes are trained on in every fold.

    Args:
        sequences: the sequences with their groups.
        folds: the number of folds; with fewer groups than that, the number of groups.
        seed: seed of the division of groups.

    Raises:
        BadInput: no sequence has both words and codes, there are fewer than three groups of such sequences, or a part
            has fewer than two such sequences.
    """
    paired = sequences.paired
    if not paired.any():
        what = "no sequence has both words and rows of features, so that there is nothing to test"
        raise BadInput(what, where=sequences.table.path, mend=f"give pairs too; {_of_one_side(sequences)}")
    parts = [np.array(sequences.parts)] if sequences.parts is not None else _drawn_parts(sequences, folds, seed)
    made = []
    for part in parts:
        train, valid, test = (part == name for name in PARTS)
        for name, own in zip(PARTS, (train, valid, test), strict=True):
            _require_pairs(int((own & paired).sum()), name, sequences.table.path)
        made.append(Fold(*(np.flatnonzero(own) for own in (train, valid & paired, test & paired))))
    return made


def _of_one_side(sequences: CaptionedSequences) -> str:
    """Return advice for the error message: other commands that train on words alone, or on codes alone."""
    of_words = "words alone are a text, which `wordworth pretrain --text text` learns from"
    of_codes = "of codes alone, `wordworth symbols encode --sequences` makes a text to pretrain on"
    kinds = (sequences.words_alone.any(), of_words), (sequences.codes_alone.any(), of_codes)
    return ", and ".join(advice for there, advice in kinds if there)


def _drawn_parts(sequences: CaptionedSequences, folds: int, seed: int) -> list[Parts]:
    """Return for every fold the part of each sequence: `train`, `valid` or `test`.

    Groups in which no sequence has both words and codes are in the training part of every fold.

    Args:
        sequences: the sequences with their groups.
        folds: number of folds; with fewer groups, the number of groups.
        seed: seed of the division of groups.
    """
    names = sorted({sequences.groups[row] for row in np.flatnonzero(sequences.paired).tolist()})
    if len(names) < _LEAST:
        what = f"{count_of(len(names), 'group')}: with {_LEAST} or more some train, some validate, some test"
        raise BadInput(what, where=sequences.table.path, mend="give sequences of more speakers or films")
    number = min(folds, len(names))
    order = seeds.child(seed, "crossmodal", "folds").permutation(len(names)).tolist()
    of_group = {names[group]: rank % number for rank, group in enumerate(order)}
    fold = np.array([of_group.get(group, -1) for group in sequences.groups])
    return [
        np.where(fold == tested, "test", np.where(fold == (tested + 1) % number, "valid", "train"))
        for tested in range(number)
    ]


def _require_pairs(pairs: int, part: str, path: str) -> None:
    if pairs < _PAIR:
        what = f"{count_of(pairs, 'sequence')} in the part {part!r}, and two are needed to tell pairs apart"
        raise BadInput(what, where=path, mend="give more sequences with words and rows of features")
