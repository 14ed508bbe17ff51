"""`results_by_ray`: the results of a function for each part of some work, computed by the workers of a Ray cluster.

A few parts are under way at a time, so that memory stays flat; the part of a worker that died is computed again by
another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from wordworth.errors import BadInput, require_package
from wordworth.sentence_formatting import count_of

_AHEAD = 2
"""Parts under way for each worker: one that it computes, and one that waits for it."""
_RETRIES = 3
_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


def results_by_ray(
    parts: Iterable[_Part],
    compute: Callable[..., _Result],
    shared: tuple[object, ...],
    *,
    rows_of: Callable[[_Part], range],
    threads: int = 1,
) -> Iterator[tuple[_Part, _Result]]:
    """Yield each part with its result, as soon as a worker has computed it.

    The function uses the Ray cluster that this process is connected to, else the cluster that the variable RAY_ADDRESS
    names. Without either it starts a cluster on this machine, and ends it afterwards.

    Args:
        parts: the parts, which are read as workers become free.
        compute: the function of a part and the shared arguments; its result depends on these alone.
        shared: the further arguments of `compute`, which are sent to a worker once.
        rows_of: returns the indices of a part's texts in the input, which an error names.
        threads: number of threads of a worker.

    Raises:
        MissingExtra: Ray is not installed.
        BadInput: Ray does not start, `compute` raises it, or workers die again and again.
    """
    require_package("ray", "ray")
    import ray

    with ray_cluster():
        task_of = ray.remote(num_cpus=threads, max_retries=_RETRIES)(_in_worker)
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
        shared_there = [ray.put(each) for each in shared]
        under_way: dict[Any, _Part] = {}
        try:
            for part in parts:
                under_way[task_of.remote(compute, threads, part, *shared_there)] = part
                if len(under_way) >= most:
                    yield _next_done(under_way, rows_of)
            while under_way:
                yield _next_done(under_way, rows_of)
        finally:
            for task in under_way:
                ray.cancel(task, force=True)


def _in_worker(compute: Callable[..., _Result], threads: int, part: object, *shared: object) -> _Result:
    """Return the result of a part; this function runs in a worker.

    With one thread, the tokenizer does not start further threads either.
    """
    if threads == 1:
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
    return compute(part, *shared)


def _next_done(under_way: dict[Any, _Part], rows_of: Callable[[_Part], range]) -> tuple[_Part, Any]:
    """Wait for the next part that is done, and return it with its result."""
    import ray

    (task, *_), _ = ray.wait(list(under_way), num_returns=1)
    part = under_way.pop(task)
    try:
        return part, ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        rows = rows_of(part)
        where = f"rows {rows.start:,} to {rows.stop - 1:,}"
        what = f"{count_of(_RETRIES + 1, 'worker')} died at the texts of {where}: {type(error).__name__}"
        raise BadInput(what, mend="give workers more memory; the same command goes on from there") from error


@contextmanager
def ray_cluster() -> Iterator[None]:
    """Connect to a Ray cluster for a `with` statement, or start a cluster on this machine and end it afterwards.

    If this process is connected to a cluster already, that connection is used and is not closed.

    Raises:
        MissingExtra: Ray is not installed.
        BadInput: Ray does not start.
    """
    require_package("ray", "ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report to its makers
    import ray

    if ray.is_initialized():
        yield
        return
    try:
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        mend = "check RAY_ADDRESS, or leave it out for a cluster on this machine"
        raise BadInput(f"Ray does not start: {error}", where="--engine ray", mend=mend) from error
    try:
        yield
    finally:
        ray.shutdown()
