"""The engine: requests of all clients in common batches; one that fails or is late fails alone."""

import asyncio
import threading
import time
from contextlib import contextmanager, nullcontext

import pytest

from wordworth.serving.batching_engine import Engine
from wordworth.serving.metrics import Metrics
from wordworth.serving.request_errors import Refusal


@contextmanager
def engine(threads=1, most_waiting=100):
    made = Engine(threads, nullcontext, most_waiting, Metrics())
    try:
        yield made
    finally:
        made.stop()


class Squares:
    """A computation that waits for a gate, and keeps its batches."""

    def __init__(self):
        self.batches, self.gate = [], threading.Event()

    def __call__(self, items):
        self.gate.wait(10)
        self.batches.append(list(items))
        if "bad" in items:
            raise ValueError("bad item")
        return [item * item for item in items]


def run(made, compute, requests, seconds=30.0):
    """The results of requests that come at once, or what they raised; the gate opens when all wait."""

    async def send():
        tasks = [
            asyncio.ensure_future(made.compute(compute, items, [1] * len(items), deadline=time.monotonic() + seconds))
            for items in requests
        ]
        await asyncio.sleep(0.05)
        compute.gate.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    return [each if isinstance(each, Exception) else each.results for each in asyncio.run(send())]


@pytest.mark.parametrize("threads", [1, 3])
def test_each_request_has_its_own_results_in_order(threads):
    with engine(threads) as made:
        assert run(made, Squares(), [[1, 2, 3], [4], [5, 6]]) == [[1, 4, 9], [16], [25, 36]]


def test_requests_that_wait_are_computed_together():
    compute = Squares()
    with engine() as made:
        run(made, compute, [[1], [2], [3], [4]])
    assert sorted(item for batch in compute.batches for item in batch) == [1, 2, 3, 4]
    assert len(compute.batches) <= 2  # those that came before the thread woke, and those that waited for it


def test_one_large_request_is_computed_by_all_threads():
    both = threading.Barrier(2, timeout=20)  # a thread alone would wait here until the barrier breaks

    def compute(items):
        if 0 in items or 1999 in items:
            both.wait()
        return items

    with engine(threads=2) as made:

        async def send():
            return await made.compute(compute, range(2000), [4] * 2000, deadline=time.monotonic() + 60)

        assert asyncio.run(send()).results == list(range(2000))


def test_a_request_that_fails_leaves_the_others_of_its_batch_alone():
    with engine() as made:
        first, bad, last = run(made, Squares(), [[1], ["bad"], [3]])
    assert (first, last) == ([1], [9])
    assert isinstance(bad, ValueError)


def test_more_than_may_wait_are_refused_with_the_time_to_try_again():
    with engine(most_waiting=2) as made:
        results = run(made, Squares(), [[1], [2], [3]])
    assert results[:2] == [[1], [4]]
    assert isinstance(results[2], Refusal)
    assert (results[2].kind, results[2].retry_after >= 1) == ("overloaded", True)


def test_a_request_past_its_deadline_is_refused_and_not_computed():
    compute = Squares()
    with engine() as made:

        async def send():
            first = asyncio.ensure_future(made.compute(compute, [1], [1], deadline=time.monotonic() + 30))
            await asyncio.sleep(0.05)  # it is being computed
            with pytest.raises(Refusal) as refused:
                await made.compute(compute, [2], [1], deadline=time.monotonic() + 0.05)
            compute.gate.set()
            return refused.value.kind, (await first).results

        assert asyncio.run(send()) == ("late", [1])
    assert compute.batches == [[1]]


def test_stopping_computes_what_waits():
    compute, made = Squares(), Engine(2, nullcontext, 100, Metrics())

    async def send():
        tasks = [
            asyncio.ensure_future(made.compute(compute, [n], [1], deadline=time.monotonic() + 30)) for n in range(20)
        ]
        await asyncio.sleep(0.02)
        compute.gate.set()
        await asyncio.to_thread(made.stop)
        return [each.results for each in await asyncio.gather(*tasks)]

    assert asyncio.run(send()) == [[n * n] for n in range(20)]
