"""The queue: small requests first, nobody overtaken for long, batches of what waits."""

import time

from hypothesis import given
from hypothesis import strategies as st

from wordworth.models.length_batching import ROWS_A_BATCH, rows_of
from wordworth.serving.job_queue import HANDICAP, Job, JobQueue

FOREVER = float("inf")


def job(*costs, arrived=0.0, deadline=FOREVER, compute=list, gone=False):
    return Job(compute, list(costs), costs, deadline, lambda: gone, arrived=arrived)


def queue_of(*jobs, dropped=None):
    queue = JobQueue(on_drop=[].append if dropped is None else dropped.append)
    for each in jobs:
        queue.put(each)
    return queue


def order(queue):
    """The jobs in the order in which their first items are taken, one item at a time."""
    seen = []
    while len(queue):
        seen += [piece.job for piece in queue._batch(1) if piece.job not in seen]
    return seen


def test_a_small_request_passes_a_large_one_that_came_before_it():
    large, small = job(*[512] * 16), job(4, arrived=0.1)
    assert order(queue_of(large, small)) == [small, large]


@given(st.lists(st.tuples(st.integers(1, 20_000), st.floats(0, 3)), min_size=2, max_size=20))
def test_no_request_is_passed_by_one_that_came_later_than_the_bound(requests):
    jobs = [job(cost, arrived=arrived) for cost, arrived in requests]
    taken = order(queue_of(*jobs))
    assert len(taken) == len(jobs)
    for place, later in enumerate(taken):
        assert all(later.arrived - passed.arrived <= HANDICAP + 1e-9 for passed in taken[place + 1 :])


@given(st.lists(st.lists(st.integers(1, 3000), min_size=1, max_size=5), min_size=1, max_size=10), st.integers(1, 4))
def test_every_item_is_taken_once_in_order_and_batches_keep_to_their_budget(requests, threads):
    jobs = [job(*costs) for costs in requests]
    queue = queue_of(*jobs)
    queue.close()
    queue._idle = threads - 1  # as if others waited too
    seen = {each: [] for each in jobs}
    while pieces := queue.take():
        rows = [rows_of(cost) for piece in pieces for cost in piece.job.costs[piece.start : piece.end]]
        assert sum(rows) <= ROWS_A_BATCH or sum(piece.end - piece.start for piece in pieces) == 1
        for piece in pieces:
            seen[piece.job] += range(piece.start, piece.end)
    assert all(items == list(range(len(each.items))) for each, items in seen.items())
    assert queue.waiting_cost == 0


def test_what_waits_is_divided_among_idle_threads():
    queue = queue_of(*(job(100) for _ in range(10)))
    queue._idle = 1  # and the one that takes
    assert len(queue.take()) == 5


def test_what_nobody_wants_any_more_is_dropped_before_it_is_computed():
    dropped = []
    late, gone, wanted = job(1, deadline=time.monotonic() - 1), job(1, gone=True), job(1, arrived=1)
    assert [piece.job for piece in queue_of(late, gone, wanted, dropped=dropped).take()] == [wanted]
    assert dropped == [late, gone]


def test_a_batch_has_one_computation():
    queue = queue_of(job(1), job(1, compute=tuple, arrived=1))
    assert [[piece.job.compute for piece in queue.take()] for _ in range(2)] == [[list], [tuple]]


def test_a_closed_and_empty_queue_gives_nothing():
    queue = queue_of()
    queue.close()
    assert queue.take() == []
