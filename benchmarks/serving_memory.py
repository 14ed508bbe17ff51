"""Resident memory of `wordworth serve` over many requests, and how fast it grows.

    python benchmarks/serving_memory.py --models wordllama minilm --out docs/records/serving_memory.json

Clients keep their connections and send one request after another: consecutive words of sentences and film reviews, 1 to
256 of them (log-uniform); a tenth of the requests have eight texts, and a tenth have a word that no other has, so that
what the server keeps of words it has met would show. The client runs on the same cores. The slope is that of least
squares after the first tenth of the requests, in which a process warms up; its 95 % interval counts the samples as
fewer than they are where residuals follow one another (first-order autocorrelation, Santer and others 2000,
https://doi.org/10.1029/1999JD901105, equations 4 to 6).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import uvloop
from scipy import stats

import measure
from mixed_texts import words_of_texts
from serving import Server, running
from wordworth.cli.scripts import run_script, writable_path

LONGEST = 256
"""Most words of a text."""
_TEXTS_OF_MANY = 8
_ONE_IN = 10
"""One request in so many has several texts, and one in so many has a word of its own."""
_MEGA = 1_000_000


@dataclass(slots=True)
class Load:
    """Requests that clients share: how many to send, how many were answered, and the memory after every few of them.

    Attributes:
        server: the server.
        requests: how many to send.
        every: number of answers between two measurements of memory.
        ends: second of `time.perf_counter` at which no further request is sent.
        samples: number of answers and megabytes of resident memory, for each measurement.
    """

    server: Server
    requests: int
    every: int
    ends: float
    sent: int = 0
    answered: int = 0
    samples: list[tuple[int, float]] = field(default_factory=list)

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the requests to send, until there are enough or the time is over."""
        while self.sent < self.requests and time.perf_counter() < self.ends:
            self.sent += 1
            yield self.sent

    def count(self) -> None:
        """Count an answer, and measure memory after every few."""
        self.answered += 1
        if self.answered % self.every == 0:
            self.samples.append((self.answered, resident_megabytes(self.server.process)))


def resident_megabytes(process: int) -> float:
    """Return the resident memory of a process in megabytes of 1,000,000 bytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    line = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert line is not None
    return int(line[1]) * 1024 / _MEGA


def body(number: int, words: Sequence[str], model: str) -> bytes:
    """Return the body of a request, which its number decides.

    Args:
        number: number of the request.
        words: the words that texts are made of, in the order of running text.
        model: name of the model.
    """
    draw = random.Random(number)
    texts = []
    for _ in range(_TEXTS_OF_MANY if draw.randrange(_ONE_IN) == 0 else 1):
        length = round(LONGEST ** draw.random())
        start = draw.randrange(len(words) - length)
        texts.append(" ".join(words[start : start + length]))
    if draw.randrange(_ONE_IN) == 0:
        texts[0] += f" zx{number:x}q"
    return json.dumps({"model": model, "input": texts, "encoding_format": "base64"}).encode()


async def client(load: Load, numbers: Iterator[int], words: Sequence[str], model: str) -> None:
    """Send one request after another over one connection, until there are no more.

    Args:
        load: counts the answers.
        numbers: numbers of the requests, which all clients share.
        words: the words that texts are made of.
        model: name of the model.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", load.server.port, limit=1 << 24)
    for number in numbers:
        data = body(number, words, model)
        fields = f"host: x\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        writer.write(b"POST /v1/embeddings HTTP/1.1\r\n" + fields.encode() + data)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        if length is None or not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"request {number}: {head[:200]!r}")
        await reader.readexactly(int(length[1]))
        load.count()
    writer.close()


async def send(load: Load, clients: int, words: Sequence[str], model: str) -> None:
    """Send all requests of a load from several clients at once.

    Args:
        load: the requests.
        clients: number of clients.
        words: the words that texts are made of.
        model: name of the model.
    """
    numbers = load.numbers()
    await asyncio.gather(*(client(load, numbers, words, model) for _ in range(clients)))


@dataclass(frozen=True, slots=True)
class Slope:
    """The slope of a line through measurements, with its 95 % interval.

    Attributes:
        low, value, high: the slope and the ends of its interval.
        autocorrelation: that of the residuals, from one to the next.
    """

    low: float
    value: float
    high: float
    autocorrelation: float


def slope(x: Sequence[float], y: Sequence[float]) -> Slope:
    """Return the least-squares slope of y by x, with an interval that allows for residuals that follow one another.

    Args:
        x: the first coordinates of at least four points, ascending.
        y: their second coordinates.
    """
    across = np.asarray(x, float) - np.mean(x)
    value = float(across @ np.asarray(y, float) / (across @ across))
    residuals = np.asarray(y, float) - np.mean(y) - value * across
    squares = float(residuals @ residuals)
    followed = float(residuals[1:] @ residuals[:-1]) / squares if squares else 0.0
    counted = len(across) * (1 - max(0.0, followed)) / (1 + max(0.0, followed))
    if counted <= 3:  # a line takes two points, and its interval one more
        return Slope(-math.inf, value, math.inf, followed)
    error = math.sqrt(squares / (counted - 2) / float(across @ across))
    half = float(stats.t.ppf(0.975, counted - 2)) * error
    return Slope(value - half, value, value + half, followed)


def measured(model: str, options: argparse.Namespace, words: Sequence[str]) -> dict[str, Any]:
    """Serve a model, send it all requests, and return its memory over them, with the slope after the first tenth."""
    command = [sys.executable, "-m", "wordworth", "serve", model, "--port", "0", "--dtype", options.dtype]
    with running(command, options.threads) as server:
        began, own = time.perf_counter(), time.process_time()
        load = Load(server, options.requests, options.every, began + options.seconds)
        load.samples.append((0, resident_megabytes(server.process)))
        uvloop.run(send(load, options.clients, words, model))
        seconds = time.perf_counter() - began
        processor = {"server": server.processor_seconds(), "clients": time.process_time() - own}
    return {"requests": load.answered, "seconds": seconds, "processor_seconds": processor, **of_memory(load.samples)}


def of_memory(samples: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """Return the memory at the start and the end, its peak, and its slope after the first tenth of the requests."""
    late = [(answered, megabytes) for answered, megabytes in samples if answered > samples[-1][0] / 10]
    line = slope(*zip(*late, strict=True))
    names = ("low", "value", "high")
    return {
        "mb_before_any": samples[0][1],
        "mb_after_a_tenth": late[0][1],
        "mb_at_the_end": samples[-1][1],
        "mb_at_most": max(megabytes for _, megabytes in samples),
        "mb_per_million_requests": dict(zip(names, map(_per_million, (line.low, line.value, line.high)), strict=True)),
        "autocorrelation": line.autocorrelation,
        "samples": samples,
    }


def _per_million(each: float) -> float | None:
    """Return a slope by requests in millions of them; None for an end of an interval that is open."""
    return each * _MEGA if math.isfinite(each) else None


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", default=["wordllama"], help="names or folders, served one by one")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--requests", type=int, default=_MEGA)
    parser.add_argument("--seconds", type=float, default=3600.0, help="no request is sent to a model after so many")
    parser.add_argument("--every", type=int, default=20_000, help="answers between two measurements of memory")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2, help="of the server")
    parser.add_argument(
        "--out", type=writable_path, help="write the figures here as JSON; models that it has are left out"
    )
    return parser.parse_args()


def main() -> None:
    """Measure each model, and write the record after it."""
    options = parsed()
    words = words_of_texts()
    parts = ((model, partial(measured, model, options, words)) for model in options.models)
    measure.in_parts(parts, "models", options.out)


if __name__ == "__main__":
    run_script(main)
