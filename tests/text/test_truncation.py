"""Texts and pairs are cut as the published programs cut them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.text.tokens import Tokens
from wordworth.text.truncation import keep_head_and_tail, truncate_slices, truncate_texts
from wordworth.text.windows import WindowSpec


def slow_lengths(first, second, room):
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return first, second


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), min_size=1, max_size=20), st.integers(2, 60))
@settings(max_examples=100, deadline=None)
def test_lengths_are_those_of_taking_a_token_at_a_time_from_the_longer_text(sizes, room):
    first = np.array([(10, 10 + size) for size, _ in sizes])
    second = np.array([(500, 500 + size) for _, size in sizes])
    cut_first, cut_second = truncate_slices(first, second, room, np.random.default_rng(0))
    lengths = zip(np.diff(cut_first).ravel().tolist(), np.diff(cut_second).ravel().tolist(), strict=True)
    assert list(lengths) == [slow_lengths(a, b, room) for a, b in sizes]
    assert (cut_first[:, 0] >= first[:, 0]).all()
    assert (cut_second[:, 1] <= second[:, 1]).all()


def test_as_much_goes_from_the_front_as_from_the_back():
    first = np.tile([[0, 100]], (4000, 1))
    cut, _ = truncate_slices(first, np.tile([[0, 100]], (4000, 1)), 100, np.random.default_rng(0))
    fronts = cut[:, 0]
    assert abs(fronts.mean() - 25) < 0.3  # 50 tokens go: binomial with mean 25, deviation 3.5
    assert 3.3 < fronts.std() < 3.8


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


def test_a_text_is_cut_to_one_window_and_keeps_its_special_tokens():
    short, long = sequence(3), sequence(7)
    read, number = truncate_texts([short, long], WindowSpec(max_length=6))
    assert number == 1
    assert [tokens.ids.tolist() for tokens in read] == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 8]]
