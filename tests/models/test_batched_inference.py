"""A batch that is the only one is computed by all threads together, to the same bits."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import wordworth as ww
from wordworth.models.batch import Batch
from wordworth.models.batched_inference import BatchedReader
from wordworth.text.tokens import Tokens
from wordworth.text.windows import WindowSpec, plan_windows

TEXTS = ["a text", "the film is a good one to see, and the second half is better than the first"] * 3
CPU = torch.device("cpu")


@pytest.fixture
def four_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


def threads_of(lengths, *, batch_size=None, is_thread_invariant=True):
    """The numbers of threads with which batches of sequences of these lengths are computed."""
    seen = []

    def read(batch: Batch) -> torch.Tensor:
        seen.append(torch.get_num_threads())
        return torch.zeros(len(batch.ids), 2)

    zeros = np.zeros((max(lengths), 2), np.int32)
    tokens = [Tokens(ids, ids * 0, zeros[: len(ids)], zeros[: len(ids), 0]) for ids in map(np.arange, lengths)]
    plan = plan_windows(lengths, WindowSpec(max_length=64), long="window")
    list(BatchedReader(read, CPU, batch_size, is_thread_invariant=is_thread_invariant).parts(tokens, plan))
    return seen


@pytest.mark.usefixtures("four_threads")
def test_a_batch_that_is_the_only_one_has_all_threads_and_several_have_one_each():
    assert threads_of([5, 6]) == [4]
    assert threads_of([5, 6], batch_size=1) == [1, 1]


@pytest.mark.usefixtures("four_threads")
def test_a_batch_has_one_thread_if_its_bits_could_depend_on_the_number_or_if_another_thread_asks():
    assert threads_of([5, 6], is_thread_invariant=False) == [1]
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(threads_of, [5, 6]).result() == [1]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8"])
@pytest.mark.parametrize("texts", [1, 2, 6])
def test_vectors_are_the_same_to_the_bit_on_any_number_of_threads(dtype, texts):
    encoder, before = ww.load("mini", dtype=dtype), torch.get_num_threads()
    vectors = []
    try:
        for threads in (1, 2, 3, 8):
            torch.set_num_threads(threads)
            vectors.append(encoder.encode(TEXTS[:texts]))
    finally:
        torch.set_num_threads(before)
    assert all(np.array_equal(vectors[0], each) for each in vectors[1:])
