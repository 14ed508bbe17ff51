"""`JobQueue`: the waiting requests of a server, from which threads take batches, small requests first.

Requests are ordered by their time of arrival plus a handicap that grows with their tokens, up to `HANDICAP` seconds. So
a small request overtakes large requests, but no request is overtaken by a request that arrived over `HANDICAP` seconds
later.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from wordworth.models.length_batching import ROWS_A_BATCH, rows_of

HANDICAP = 0.25
"""Maximal number of seconds by which a request may arrive after another request and still be computed before it."""
_LARGE = 8192
"""Number of tokens from which a request has the whole handicap."""
_LEAST = 256
"""Minimal number of rows of a batch, if so many wait: smaller batches would cost more than another thread gains."""

GATHER = 0.003
"""Most seconds that a thread waits for a larger batch while others compute."""

Compute = Callable[[Sequence[Any]], Sequence[Any]]


@dataclass(slots=True, eq=False)
class Job:
    """A request to compute a function of each of its items. Times are measured by `time.monotonic`, in seconds.

    Attributes:
        compute: function from a batch of items, of this and other requests, to their results.
        items: the items.
        costs: number of tokens of each item.
        deadline: time after which the result is not wanted.
        is_gone: returns whether the client has disconnected.
        positions: number of token positions of each item in a padded batch (`rows_of`). The positions of a batch are
            limited, as the model would divide a larger batch into a full batch and a small batch.
        results: the result of each item, None until it is computed.
        arrived: time of arrival.
        taken: number of items that were taken into a batch.
        finished: number of items that were computed.
        began: time when the first item was taken; 0 before that.
        error: the error with which the request failed; None if it did not.
    """

    compute: Compute
    items: Sequence[Any]
    costs: Sequence[int]
    deadline: float
    is_gone: Callable[[], bool]
    positions: list[int] = field(init=False)
    results: list[Any] = field(init=False)
    arrived: float = field(default_factory=time.monotonic)
    taken: int = 0
    finished: int = 0
    began: float = 0.0
    error: Exception | None = None

    def __post_init__(self) -> None:
        self.positions = [rows_of(cost) for cost in self.costs]
        self.results = [None] * len(self.items)

    @property
    def is_unwanted(self) -> bool:
        """True if nobody waits for the result: the job failed, its deadline passed, or its client disconnected."""
        return self.error is not None or time.monotonic() > self.deadline or self.is_gone()


class Piece(NamedTuple):
    """The items of a job from index `start` to before `end`, as a part of a batch."""

    job: Job
    start: int
    end: int

    @property
    def items(self) -> Sequence[Any]:
        """The items of the job that are in this part of a batch."""
        return self.job.items[self.start : self.end]


class JobQueue:
    """A queue of waiting jobs, from whose items threads take batches.

    Args:
        on_drop: called with each job that is removed because it is unwanted.
        threads: number of threads that take batches.

    Attributes:
        waiting_cost: number of tokens of all waiting items.
    """

    def __init__(self, on_drop: Callable[[Job], None], threads: int = 1) -> None:
        self._threads = threads
        self._heap: list[tuple[float, int, Job]] = []
        self._numbers = count()
        self._changed = threading.Condition()
        self._on_drop = on_drop
        self._idle = 0
        self._closed = False
        self.waiting_cost = self._waiting_positions = 0

    def __len__(self) -> int:
        return len(self._heap)

    def put(self, job: Job) -> None:
        """Add a job to the queue, and wake a thread that waits in `take`."""
        total = sum(job.costs)
        rank = job.arrived + HANDICAP * min(1.0, total / _LARGE)
        with self._changed:
            heapq.heappush(self._heap, (rank, next(self._numbers), job))
            self.waiting_cost += total
            self._waiting_positions += sum(job.positions)
            self._changed.notify()

    def close(self) -> None:
        """Close the queue: once it is empty, `take` returns an empty list to every thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self) -> list[Piece]:
        """Wait for jobs, and return the next batch as pieces of jobs; empty once the queue is closed and empty.

        The size of a batch is counted in rows (token positions). It is the number of waiting rows divided by the number
        of idle threads; but at least 256, if so many wait, and at most the size of a batch of `encode`.
        """
        with self._changed:
            self._idle += 1
            try:
                while True:
                    while not self._heap and not self._closed:
                        self._changed.wait()
                    if not self._heap:
                        return []
                    self._gather()
                    if pieces := self._batch(min(ROWS_A_BATCH, max(_LEAST, -(-self._waiting_positions // self._idle)))):
                        if self._heap:  # this thread may have used up the call that was meant for another one
                            self._changed.notify()
                        return pieces
            finally:
                self._idle -= 1

    def _gather(self) -> None:
        """Wait a moment for a larger batch if other threads compute: requests of many clients arrive one by one."""
        until = time.monotonic() + GATHER
        while self._idle < self._threads and self._waiting_positions < _LEAST and not self._closed:
            left = until - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(left)

    def _batch(self, budget: int) -> list[Piece]:
        """Take pieces of the first jobs that have the same `compute`, up to `budget` rows."""
        pieces: list[Piece] = []
        while self._heap and budget > 0:
            job = self._heap[0][2]
            if job.is_unwanted:
                self._remove_first(job)
                self._on_drop(job)
                continue
            if pieces and job.compute != pieces[0].job.compute:
                break
            start, end, rows = job.taken, job.taken, 0
            while end < len(job.items) and (rows + job.positions[end] <= budget or not (pieces or end > start)):
                rows += job.positions[end]
                end += 1
            if end == start:
                break
            job.began = job.began or time.monotonic()
            job.taken, budget, self._waiting_positions = end, budget - rows, self._waiting_positions - rows
            self.waiting_cost -= sum(job.costs[start:end])
            pieces.append(Piece(job, start, end))
            if end == len(job.items):
                heapq.heappop(self._heap)
        return pieces

    def _remove_first(self, job: Job) -> None:
        heapq.heappop(self._heap)
        self.waiting_cost -= sum(job.costs[job.taken :])
        self._waiting_positions -= sum(job.positions[job.taken :])
