"""Sequences of like length are padded together, and every token comes back to its own position."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.models.length_buckets import (
    PackedLayout,
    gather_rows,
    length_buckets,
    merge_buckets,
    scatter_rows,
    split_by_bucket,
)

CPU = torch.device("cpu")
LENGTHS = st.lists(st.integers(0, 9), max_size=12)


def bounds_of(lengths):
    return [0, *torch.tensor(lengths, dtype=torch.int64).cumsum(0).tolist()]


@given(lengths=LENGTHS, round_to=st.integers(1, 4), area=st.none() | st.integers(1, 90))
def test_splitting_and_merging_gives_the_batch_back(lengths, round_to, area):
    bounds = bounds_of(lengths)
    values = torch.arange(2.0 * bounds[-1]).view(-1, 2)
    buckets = length_buckets(bounds, CPU, round_to, area)
    parts = list(split_by_bucket(values, buckets))
    assert torch.equal(merge_buckets(parts, buckets, values), values)


@given(lengths=LENGTHS, round_to=st.integers(1, 4))
def test_every_sequence_that_is_not_empty_is_in_one_bucket_no_shorter_than_itself(lengths, round_to):
    buckets = length_buckets(bounds_of(lengths), CPU, round_to)
    assert sum(bucket.count for bucket in buckets) == sum(length > 0 for length in lengths)
    for bucket in buckets:
        assert bucket.length % round_to == 0
        real = torch.ones(bucket.count, bucket.length) if bucket.padding_mask is None else ~bucket.padding_mask
        of_each = real.sum(1)
        assert ((of_each > bucket.length - round_to) & (of_each <= bucket.length)).all()


@given(lengths=LENGTHS)
def test_equal_lengths_alone_need_no_padding(lengths):
    assert all(bucket.padding_mask is None for bucket in length_buckets(bounds_of(lengths), CPU))


def test_padding_is_zeros_at_the_end_and_goes_away_again():
    (bucket,) = length_buckets([0, 2, 5], CPU, round_to=4)
    values = torch.arange(1.0, 6.0).view(5, 1, 1)
    padded = bucket.padded(values)
    assert padded.shape == (2, 1, 4, 1)
    assert padded[:, 0, :, 0].tolist() == [[1, 2, 0, 0], [3, 4, 5, 0]]
    assert bucket.padding_mask.tolist() == [[False, False, True, True], [False, False, False, True]]
    assert torch.equal(bucket.unpadded(padded.transpose(1, 2)), values)


def test_a_bucket_is_no_larger_than_its_area_but_eight_sequences_always_fit():
    buckets = length_buckets(bounds_of([4] * 30), CPU, max_area=10 * 16)
    assert [bucket.count for bucket in buckets] == [10, 10, 10]
    assert [bucket.count for bucket in length_buckets(bounds_of([4] * 9), CPU, max_area=1)] == [8, 1]


def test_the_tokens_of_a_sorted_batch_are_slices():
    assert all(isinstance(bucket.tokens, slice) for bucket in length_buckets([0, 1, 2, 4, 6], CPU))


def test_a_layout_is_computed_once_for_all_layers():
    layout = PackedLayout(torch.tensor([0, 3, 3, 5], dtype=torch.int32))
    assert layout.longest == 3
    assert layout.buckets(2) is layout.buckets(2)
    assert layout.buckets(2) is not layout.buckets(1)
    assert PackedLayout(torch.tensor([0], dtype=torch.int32)).longest == 0


MOVES = {
    "scatter": lambda rows: scatter_rows(rows, torch.tensor([3, 0]), 5),
    "gather": lambda rows: gather_rows(rows, torch.tensor([1, 0])),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_gradients_are_those_of_plain_indexing(move):
    rows = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(move, (rows,))


def test_bounds_are_plain_numbers():
    layout = PackedLayout(torch.tensor([0, 3, 5], dtype=torch.int32))
    assert [end - start for start, end in pairwise(layout.bounds)] == [3, 2]
