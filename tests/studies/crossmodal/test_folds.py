"""Who trains, validates and tests."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.studies.crossmodal.folds import folds_of
from wordworth.text.captioned_sequences import CaptionedSequences
from wordworth.text.file_formats.table import TextTable


def sequences(groups, parts=None, sides=None):
    """Sequences of these groups; `sides` has "w" for words alone, "c" for codes alone, "b" for both, which all are."""
    sides = sides or "b" * len(groups)
    table = TextTable({}, "captions.csv", "", range(len(groups)))
    bounds = np.array([(0, side != "w") for side in sides], dtype=np.int64)
    texts = tuple("" if side == "c" else "one" for side in sides)
    return CaptionedSequences(table, bounds, texts, tuple(groups), parts, ("",) * len(groups))


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 9), st.integers(3, 9), st.integers(0, 100))
def test_each_group_is_tested_once_and_in_one_part_of_a_fold(groups, folds, seed):
    own = sequences([f"g{number % groups}" for number in range(2 * groups)])
    made = folds_of(own, folds, seed)
    assert len(made) == min(folds, groups)
    assert sorted(np.concatenate([fold.test for fold in made])) == list(range(2 * groups))
    for fold in made:
        parts = [{own.groups[row] for row in rows} for rows in (fold.train, fold.valid, fold.test)]
        assert set.union(*parts) == set(own.groups)
        assert sum(map(len, parts)) == groups


def test_the_column_of_parts_makes_one_fold():
    parts = ("train", "train", "valid", "valid", "test", "test")
    (fold,) = folds_of(sequences("aabbcc", parts), 3, 0)
    assert (fold.train.tolist(), fold.valid.tolist(), fold.test.tolist()) == ([0, 1], [2, 3], [4, 5])


def test_sequences_of_one_side_train_and_are_never_tested_and_never_train_where_their_group_is():
    own = sequences("aaaabbbbccccdd", sides="bbwcbbwcbbwcwc")
    for fold in folds_of(own, 3, 0):
        assert {12, 13} <= set(fold.train)  # of a group without pairs
        held_out = {own.groups[row] for row in (*fold.valid, *fold.test)}
        assert not held_out & {own.groups[row] for row in fold.train}
        assert own.paired[fold.valid].all()
        assert own.paired[fold.test].all()
        assert len(fold.train) == 6


def test_of_a_part_of_the_table_the_pairs_are_tested():
    parts = tuple(np.repeat(["train", "valid", "test"], 4).tolist())
    (fold,) = folds_of(sequences("aaaabbbbcccc", parts, "bbwcbbwcbbwc"), 3, 0)
    assert (fold.train.tolist(), fold.valid.tolist(), fold.test.tolist()) == ([0, 1, 2, 3], [4, 5], [8, 9])


def test_too_few_groups_or_sequences_are_refused():
    with pytest.raises(BadInput, match="2 groups"):
        folds_of(sequences("aabb"), 3, 0)
    few = replace(sequences("aabc"), parts=("train", "train", "valid", "test"))
    with pytest.raises(BadInput, match="1 sequence in the part 'valid'"):
        folds_of(few, 3, 0)
    with pytest.raises(BadInput, match="no sequence has both words and rows of features"):
        folds_of(sequences("aabbcc", sides="ccccww"), 3, 0)
    with pytest.raises(BadInput, match="0 sequences in the part 'train'"):
        folds_of(sequences("aabbcc", tuple(np.repeat(["train", "valid", "test"], 2).tolist()), "wcbbbb"), 3, 0)


@pytest.mark.parametrize(
    ("sides", "advised", "not_advised"),
    [("wwwwww", "wordworth pretrain --text text", "symbols encode"), ("cccccc", "symbols encode", "--text text")],
)
def test_the_advice_is_for_the_side_that_there_is(sides, advised, not_advised):
    with pytest.raises(BadInput, match="no sequence has both words and rows of features") as error:
        folds_of(sequences("aabbcc", sides=sides), 3, 0)
    assert advised in error.value.mend
    assert not_advised not in error.value.mend
    with pytest.raises(BadInput, match=f"{advised}.*") as both:
        folds_of(sequences("aabbcc", sides="wwwccc"), 3, 0)
    assert not_advised in both.value.mend
