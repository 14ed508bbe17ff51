"""`Engine`: threads that compute the requests of all clients together, each thread one batch at a time.

Each thread computes on one core, in the same way as `encode`, so that the result of a text does not depend on the other
texts of its batch. The waiting requests are spread over the idle threads.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from wordworth.sentence_formatting import count_of
from wordworth.serving.job_queue import Compute, Job, JobQueue, Piece
from wordworth.serving.metrics import Metrics
from wordworth.serving.request_errors import Refusal

_MOST_WAITING = 1 << 19
"""Number of waiting tokens above which new requests are refused, however few requests wait."""
_USUAL_RATE = 10_000.0
"""Tokens a second that are assumed before a rate was measured."""


@dataclass(frozen=True, slots=True)
class Computed:
    """Results of a request, and its durations.

    Attributes:
        results: the result of each item of the request.
        queue_seconds: seconds from the request's arrival until its first item was taken into a batch.
        compute_seconds: seconds from the first item's batch until all items were computed.
    """

    results: list[Any]
    queue_seconds: float
    compute_seconds: float


class Engine:
    """A pool of threads that computes the items of requests in batches, which may mix requests.

    Args:
        threads: number of threads that compute.
        confine: returns a context manager; a thread computes on one core inside its `with` block.
        most_waiting: largest number of requests that wait or are computed; more are refused.
        metrics: counters that receive the engine's counts and durations.
    """

    def __init__(
        self, threads: int, confine: Callable[[], AbstractContextManager[Any]], most_waiting: int, metrics: Metrics
    ) -> None:
        self._confine, self._most_waiting, self._metrics = confine, most_waiting, metrics
        self.queue = JobQueue(self._drop, threads)
        self._lock = threading.Lock()
        self._futures: dict[Job, tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = {}
        self._rate = _USUAL_RATE
        names = (f"wordworth serve {number}" for number in range(threads))
        self._threads = [threading.Thread(target=self._work, name=name, daemon=True) for name in names]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Compute all waiting requests, then end the threads."""
        self.queue.close()
        for thread in self._threads:
            thread.join()

    async def compute(
        self,
        compute: Compute,
        items: Sequence[Any],
        costs: Sequence[int],
        *,
        deadline: float,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> Computed:
        """Compute a function of each item of a request, in batches with items of other requests.

        Args:
            compute: function from a batch of items to their results.
            items: the items of this request.
            costs: number of tokens of each item.
            deadline: time of `time.monotonic` after which the result is not wanted.
            is_gone: returns whether the client has disconnected, so that the result is not wanted.

        Raises:
            Refusal: too many requests or tokens wait already, or the deadline passed.
        """
        self._require_room()
        loop = asyncio.get_running_loop()
        job, future = Job(compute, items, costs, deadline, is_gone), loop.create_future()
        self._futures[job] = loop, future
        self.queue.put(job)
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                await future
        except TimeoutError:
            raise Refusal("late", "the deadline of this request passed before it was computed") from None
        finally:
            self._futures.pop(job, None)
            job.error = job.error or (None if future.done() and not future.cancelled() else TimeoutError())
        if job.error is not None:
            raise job.error
        now = time.monotonic()
        return Computed(job.results, job.began - job.arrived, now - job.began)

    def _require_room(self) -> None:
        """Check that another request may wait.

        Raises:
            Refusal: too many requests or tokens wait.
        """
        waiting = self.queue.waiting_cost
        if len(self._futures) >= self._most_waiting or waiting > _MOST_WAITING:
            seconds = max(1, math.ceil(waiting / self._rate))
            queue = f"{count_of(len(self._futures), 'request')} of {waiting:,} tokens"
            what = f"too many wait already, {queue}; try again in {seconds} s"
            raise Refusal("overloaded", what, retry_after=seconds)

    def _work(self) -> None:
        with self._confine():
            while pieces := self.queue.take():
                self._compute(pieces)

    def _compute(self, pieces: list[Piece]) -> None:
        """Compute a batch; if it fails, compute each request's items alone, so that only the bad request fails."""
        items, began = [item for piece in pieces for item in piece.items], time.monotonic()
        try:
            results = pieces[0].job.compute(items)
        except Exception as error:  # noqa: BLE001 - it is the answer to the request that caused it
            if len(pieces) > 1:
                for piece in pieces:
                    self._compute([piece])
                return
            pieces[0].job.error = error
            self._settle([pieces[0].job])
            return
        tokens = sum(sum(piece.job.costs[piece.start : piece.end]) for piece in pieces)
        self._metrics.observe("te_batch_next_size", len(items))
        self._metrics.observe("te_batch_next_tokens", tokens)
        seconds = time.monotonic() - began
        self._metrics.observe("te_batch_inference_duration", seconds)
        self._rate += (tokens * len(self._threads) / max(seconds, 1e-6) - self._rate) / 16
        self._settle(self._stored(pieces, results))

    def _stored(self, pieces: list[Piece], results: Sequence[Any]) -> list[Job]:
        """Store the results of a batch in its jobs; return the jobs that this completes."""
        complete, at = [], 0
        with self._lock:  # another thread may compute other items of the same job
            for job, start, end in pieces:
                job.results[start:end] = results[at : at + end - start]
                at += end - start
                job.finished += end - start
                if job.finished == len(job.items):
                    complete.append(job)
        return complete

    def _drop(self, job: Job) -> None:
        self._metrics.count("wordworth_request_dropped")  # the request itself counts as a failure where it is answered
        job.error = job.error or Refusal("late", "the deadline of this request passed before it was computed")
        self._settle([job])

    def _settle(self, jobs: list[Job]) -> None:
        """Wake the requests of jobs that are complete or have failed."""
        futures = [entry for job in jobs if (entry := self._futures.get(job)) is not None]
        for loop in {loop for loop, _ in futures}:
            loop.call_soon_threadsafe(_wake, [future for of, future in futures if of is loop])


def _wake(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
