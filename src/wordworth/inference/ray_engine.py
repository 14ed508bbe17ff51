"""`encoded_by_ray`: the vectors of the parts of a file, computed by the workers of a Ray cluster.

Each worker loads the encoder once. This process reads the texts and writes the parts, a few of which are under way at a
time, so that memory stays flat; the part of a worker that died is computed again by another. A part has the same bytes
as in one process, since no part depends on another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wordworth.errors import BadInput, require_package
from wordworth.inference.embed_batch_of_texts import EncodedBatch, TextBatch, encode_batch, kernel_of
from wordworth.inference.embed_settings import FileEmbedSettings
from wordworth.inference.encode_partition import encoder_of
from wordworth.models.prompts import with_prompt_text
from wordworth.text_format import count_of

_AHEAD = 2
"""Parts under way for each worker: one that it computes, and one that waits for it."""
_RETRIES = 3


def encoded_by_ray(
    parts: Iterator[TextBatch], settings: FileEmbedSettings, kernel: str, prompt: str = ""
) -> Iterator[EncodedBatch]:
    """Yield the vectors of parts, each as soon as a worker has computed it.

    The cluster is the one that the variable RAY_ADDRESS names, or one of this machine that ends with the work.

    Args:
        parts: the parts, which are read as workers become free.
        settings: the settings; `threads` is for each worker, 1 if it is None.
        kernel: name of the kernel that computes vectors in this process (`kernel_of`); workers must have the same.
        prompt: the text before every text.

    Raises:
        MissingExtra: Ray is not installed.
        BadInput: a worker lacks the model or computes by another kernel, or workers die again and again.
        TooLong: a text does not fit.
    """
    require_package("ray", "ray")
    import ray

    threads = settings.threads or 1
    with _cluster():
        encode = ray.remote(num_cpus=threads, max_retries=_RETRIES)(_encode)
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
        settings_there = ray.put(settings)
        under_way: dict[Any, TextBatch] = {}
        try:
            for part in parts:
                under_way[encode.remote(part, settings_there, kernel, prompt)] = part
                if len(under_way) >= most:
                    yield _next_done(under_way)
            while under_way:
                yield _next_done(under_way)
        finally:
            for task in under_way:
                ray.cancel(task, force=True)


def _encode(part: TextBatch, settings: FileEmbedSettings, kernel: str, prompt: str = "") -> EncodedBatch:
    """Return the vectors of a part, in a worker."""
    encoder = encoder_of(settings.model, settings.dtype, settings.device, settings.threads or 1)
    if (own := kernel_of(encoder)) != kernel:
        what = (
            f"a worker computes by {own}, and this machine by {kernel}, so that the last bits of vectors would differ"
        )
        raise BadInput(what, mend="choose --dtype float32, or machines of one kind")
    return encode_batch(part, with_prompt_text(prompt, encoder), settings.reads_long)


def _next_done(under_way: dict[Any, TextBatch]) -> EncodedBatch:
    """Wait for the next part that is done, and return it."""
    import ray

    (task, *_), _ = ray.wait(list(under_way), num_returns=1)
    part = under_way.pop(task)
    try:
        encoded: EncodedBatch = ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        rows = f"rows {part.first:,} to {part.first + len(part.texts) - 1:,}"
        what = f"{count_of(_RETRIES + 1, 'worker')} died at the texts of {rows}: {type(error).__name__}"
        raise BadInput(what, mend="give workers more memory; the same command goes on from there") from error
    return encoded


@contextmanager
def _cluster() -> Iterator[None]:
    """Connect to a cluster, or start one on this machine and end it; a connection that is there is used."""
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
