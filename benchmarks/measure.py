"""Side-by-side timing: two ways of doing the same work take turns in one process; what counts is their ratio."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

OURS = ("wordworth", "torch", "tokenizers", "numpy")
PEERS = ("sentence-transformers", "transformers", "onnxruntime", "model2vec", "gensim", "python-crfsuite")


@dataclass(frozen=True, slots=True)
class Spread:
    """Lowest, middle and highest of a few numbers."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, numbers: list[float]) -> Spread:
        """Return the spread of one or more numbers."""
        return cls(min(numbers), statistics.median(numbers), max(numbers))

    def __str__(self) -> str:
        return f"{self.median:.3g} ({self.low:.3g} to {self.high:.3g})"


def in_turns(works: Mapping[str, Callable[[], Any]], rounds: int, *, prepared: bool = False) -> dict[str, list[float]]:
    """Time each work once a round and return its seconds by round; another work begins each round.

    If `prepared`, calling a work returns the function that is timed.
    """
    names, seconds = list(works), {name: list[float]() for name in works}
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            work = works[name]() if prepared else works[name]
            began = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - began)
    return seconds


def ratios(seconds: Mapping[str, list[float]], base: str) -> dict[str, Spread]:
    """Return how many times faster than `base` each work is, over the rounds."""
    return {
        name: Spread.of([slow / fast for slow, fast in zip(seconds[base], times, strict=True)])
        for name, times in seconds.items()
    }


def machine() -> dict[str, Any]:
    """Return the processor, the system, its load now, and the versions of what is compared."""
    cpu = next((line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    about = {"cpu": cpu or platform.processor(), "cores": os.cpu_count(), "load": load, "system": platform.platform()}
    return {
        **about,
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in (*OURS, *PEERS)},
    }


def arguments(description: str | None, **numbers: int) -> argparse.Namespace:
    """Parse a benchmark's command line: the whole `numbers` by name with their defaults, `--threads` and `--out`."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    return parser.parse_args()


def report(results: Mapping[str, Any], out: Path | None) -> None:
    """Print the figures with the machine they were measured on; write both where asked to."""
    record = {**results, "machine": machine()}
    text = json.dumps(record, indent=1, default=_plain, ensure_ascii=False)
    print(text)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")


def _plain(value: object) -> object:
    if isinstance(value, Spread):
        return {name: float(f"{number:.4g}") for name, number in asdict(value).items()}
    return str(value)


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
