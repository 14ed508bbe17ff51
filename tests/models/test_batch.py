"""Sequences end to end: nothing is padded, nothing is lost."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.batch import pack
from wordworth.text.tokens import Tokens


def tokens(ids: list[int]) -> Tokens:
    count = len(ids)
    return Tokens(
        np.array(ids, np.int64),
        np.array(ids, np.int64) % 2,
        np.zeros((count, 2), np.int32),
        np.full(count, -1, np.int32),
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 99), max_size=6), max_size=6))
def test_every_sequence_lies_between_its_starts_and_counts_from_zero(sequences):
    batch = pack([tokens(ids) for ids in sequences])
    assert batch.starts.dtype == torch.int32
    for number, ids in enumerate(sequences):
        own = slice(int(batch.starts[number]), int(batch.starts[number + 1]))
        assert batch.ids[own].tolist() == ids
        assert batch.segments[own].tolist() == [value % 2 for value in ids]
        assert batch.positions[own].tolist() == list(range(len(ids)))
    assert len(batch.ids) == sum(map(len, sequences))


def test_a_batch_moves_whole():
    moved = pack([tokens([1, 2])]).to(torch.device("meta"))
    assert {part.device.type for part in (moved.ids, moved.segments, moved.starts)} == {"meta"}
