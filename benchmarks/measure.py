"""Side-by-side timing: two ways of doing the same work take turns in one process; what counts is their ratio."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from wordworth.cli.scripts import recorded_part, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text

OURS = ("wordworth", "torch", "tokenizers", "numpy")
PEERS = ("sentence-transformers", "transformers", "onnxruntime", "model2vec", "gensim", "python-crfsuite")


Figures = dict[str, float]
"""Name of a figure of a run (seconds, peak memory, result) -> its value."""


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


def in_turns(
    works: Mapping[str, Callable[[], Any]],
    rounds: int,
    *,
    prepared: bool = False,
    clock: Callable[[], float] | None = None,
) -> dict[str, list[float]]:
    """Time several functions once a round, in turns; return name -> seconds of each round.

    Another function begins each round.

    Args:
        works: name -> function.
        rounds: number of rounds.
        prepared: whether calling a function returns another one, which is the one to time.
        clock: returns the time in seconds. `time.process_time` counts processor seconds, which other work on the
            machine changes less; None takes the wall clock.
    """
    clock = clock or time.perf_counter
    names, seconds = list(works), {name: list[float]() for name in works}
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            work = works[name]() if prepared else works[name]
            began = clock()
            work()
            seconds[name].append(clock() - began)
    return seconds


def in_processes(script: Path, ways: Sequence[str], values: Sequence[object], rounds: int) -> dict[str, list[Figures]]:
    """Run each way once a round in a process of its own, by turns; return what `report_way` printed there.

    What a process writes to standard error is shown, so that one that fails says why.

    Args:
        script: called with `--way`, the way and the values.
        ways: names of the ways.
        values: further arguments; the last is the number of threads.
        rounds: number of runs of each way.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": str(values[-1])}
    runs: dict[str, list[Figures]] = {way: [] for way in ways}
    for number in range(rounds):
        turn = number % len(ways)
        for way in [*ways[turn:], *ways[:turn]]:
            command = [sys.executable, str(script.resolve()), "--way", way, *map(str, values)]
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
            runs[way].append(json.loads(done.stdout.strip().splitlines()[-1]))
    return runs


def report_way(work: Callable[[], float]) -> None:
    """Call a function in this process; print its seconds by both clocks, the process's peak memory, and its result."""
    began, processor = time.perf_counter(), time.process_time()
    check = work()
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"seconds": seconds, "processor": processor, "peak_gb": peak, "check": check}))


def compared(runs: Mapping[str, list[Figures]], base: str) -> dict[str, Spread]:
    """Return the spread of every figure of every way, and the ratio of each figure of `base` to that of another way."""
    spreads = {
        f"{way}, {figure}": Spread.of([run[figure] for run in of])
        for way, of in runs.items()
        for figure in ("seconds", "processor", "peak_gb", "check")
    }
    for way in runs.keys() - {base}:
        for figure in ("seconds", "processor", "peak_gb"):
            pairs = zip(runs[base], runs[way], strict=True)
            spreads[f"{way}, times less {figure}"] = Spread.of([more[figure] / less[figure] for more, less in pairs])
    return spreads


def in_parts(parts: Iterable[tuple[str, Callable[[], Any]]], name: str, out: Path | None) -> None:
    """Compute the parts that a record lacks one by one; print each, and write the record after it.

    Args:
        parts: name of each part, and the function that computes its figures.
        name: name of the object in the record that holds the parts.
        out: file of the record, which may hold parts of an earlier run; None only prints.
    """
    made = recorded_part(out, name, dict)
    for part, make in parts:
        if part not in made:
            made[part] = make()
            print(part, json.dumps(made[part]), flush=True)
            if out is not None:
                write_text(out, json.dumps({name: made, "machine": machine()}, indent=1) + "\n")


def ratios(seconds: Mapping[str, list[float]], base: str) -> dict[str, Spread]:
    """Return for each function how many times faster than `base` it is, as a spread over the rounds."""
    return {
        name: Spread.of([slow / fast for slow, fast in zip(seconds[base], times, strict=True)])
        for name, times in seconds.items()
    }


def data_folder() -> Path:
    """Return `$WORDWORTH_DATA`, else `../shared/data` beside the repository."""
    return Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[2] / "shared" / "data"))


def data_file(folder: Path, *patterns: str) -> Path:
    """Return the first file of a folder that a pattern matches.

    Args:
        folder: folder of a data set.
        patterns: patterns of names, the wanted first; .csv* also matches a compressed file.

    Raises:
        BadInput: there is no such file.
    """
    file = next((path for pattern in patterns for path in sorted(folder.glob(pattern))), None)
    if file is None:
        what = f"there is no file {' or '.join(patterns)}"
        raise BadInput(what, where=str(folder), mend="set WORDWORTH_DATA to the folder of the data sets")
    return file


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


def arguments(description: str | None, programs: Sequence[str] = (), /, **numbers: int) -> argparse.Namespace:
    """Parse a benchmark's command line, as `parser` reads it."""
    return parser(description, programs, **numbers).parse_args()


def parser(description: str | None, programs: Sequence[str] = (), /, **numbers: int) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's command line: `numbers`, `programs`, `--threads` and `--out`.

    Args:
        description: what the benchmark measures, for its help.
        programs: names of optional peers, each an option that takes the path of the peer's program.
        numbers: name of an option -> its default, a whole number.
    """
    made = argparse.ArgumentParser(description=description)
    for name, default in numbers.items():
        made.add_argument(f"--{name}", type=int, default=default)
    for name in programs:
        made.add_argument(f"--{name}", type=Path, help=f"the program of {name}, which is then measured too")
    made.add_argument("--threads", type=int, default=os.cpu_count())
    made.add_argument("--out", type=writable_path, help="write the figures here as JSON")
    return made


def report(results: Mapping[str, Any], out: Path | None) -> None:
    """Print the figures with the machine they were measured on; write both where asked to."""
    record = {**results, "machine": machine()}
    text = json.dumps(record, indent=1, default=_plain, ensure_ascii=False)
    print(text)
    if out is not None:
        write_text(out, text + "\n")


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
