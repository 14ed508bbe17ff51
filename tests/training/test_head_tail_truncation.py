"""Cutting texts for fine-tuning: special tokens stay, middles go, nothing else moves."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.encoding import Tokens
from wordworth.training.head_tail_truncation import keep_head_and_tail


def sequence(*lengths):
    """[CLS] text [SEP] (text [SEP]); ids count up, special tokens have no characters."""
    special, place = [True], 0
    for length in lengths:
        special += [False] * length + [True]
    offsets = np.array([(0, 0) if mark else (i, i + 1) for i, mark in enumerate(special)], np.int32)
    count = len(special)
    return Tokens(
        np.arange(count), np.full(count, place), offsets, np.where(special, -1, np.arange(count)).astype(np.int32)
    )


@given(lengths=st.lists(st.integers(1, 60), min_size=1, max_size=2), limit=st.integers(8, 90))
def test_a_cut_sequence_fits_keeps_marks_order_and_both_ends_of_each_text(lengths, limit):
    whole = sequence(*lengths)
    cut = keep_head_and_tail(whole, limit)
    assert len(cut) == min(len(whole), limit)
    assert (np.diff(cut.ids) > 0).all()
    marks = [0, *np.cumsum(np.array(lengths) + 1).tolist()]
    assert set(marks) <= set(cut.ids.tolist())
    for before, after in pairwise(marks):
        kept = [i for i in cut.ids if before < i < after]
        assert not kept or kept[0] == before + 1
        assert len(kept) < 2 or kept[-1] == after - 1


@given(first=st.integers(1, 60), second=st.integers(1, 60), limit=st.integers(8, 90))
def test_the_longer_text_of_a_pair_gives_way_first(first, second, limit):
    cut = keep_head_and_tail(sequence(first, second), limit).ids
    kept = [sum(0 < i <= first for i in cut), sum(first + 1 < i <= first + 1 + second for i in cut)]
    for length, mine, other in ((first, kept[0], kept[1]), (second, kept[1], kept[0])):
        assert mine == length or mine >= other - 1
