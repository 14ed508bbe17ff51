"""What a Ray cluster on one machine adds to `embed`: two workers of one thread, beside one process of two threads.

    python benchmarks/ray_overhead.py --model minilm --texts 20000 200000 --out docs/records/ray_overhead.json
    python benchmarks/ray_overhead.py --model wordllama --texts 1000000 10000000 --out docs/records/ray_overhead.json

Both ways embed the same short sentences into a `.npy`, each run in a process of its own, in turns; files of both ways
must have the same bytes. Processor seconds are those of all processes of the cluster. Seconds begin before torch is
imported and end when the cluster is stopped; those of its start are told apart too, since they do not grow with the
texts. Needs `wordworth[ray]`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import measure
from mixed_texts import write_sentences
from wordworth.cli.scripts import run_script, writable_path

ONE, RAY = "one process", "ray"
_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure each number of texts, and write the record after it."""
    options = parsed()
    parts = ((f"{options.model}, {each:,} texts", partial(compared, each, options)) for each in options.texts)
    measure.in_parts(parts, "overhead", options.out)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--texts", type=int, nargs="+", default=[20_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2, help="threads of the one process, and workers of the cluster")
    parser.add_argument(
        "--out", type=writable_path, help="write the figures here as JSON; sizes that it has are left out"
    )
    return parser.parse_args()


def compared(texts: int, options: argparse.Namespace) -> dict[str, Any]:
    """Run both ways in turns on the same texts; return their figures and what the cluster takes beside one process.

    Raises:
        SystemExit: the files of two runs differ.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.txt"
        write_sentences(path, texts)
        values = (options.model, options.dtype, path, options.threads)
        runs = measure.in_processes(Path(__file__), (ONE, RAY), values, options.rounds)
    if len({run["check"] for way in runs.values() for run in way}) > 1:
        raise SystemExit("the files of two runs differ")
    figures = {way: {name: rounded([run[name] for run in of]) for name in of[0]} for way, of in runs.items()}
    rounds = list(zip(runs[RAY], runs[ONE], strict=True))
    ratios = {
        name: rounded([cluster[name] / alone[name] for cluster, alone in rounds]) for name in ("seconds", "processor")
    }
    return {"rounds": options.rounds, "dtype": options.dtype, **figures, "ray over one process": ratios}


def rounded(numbers: list[float]) -> dict[str, float]:
    """Return the lowest, middle and highest of numbers, in four digits."""
    spread = measure.Spread.of(numbers)
    return {name: float(f"{getattr(spread, name):.4g}") for name in ("low", "median", "high")}


def run(way: str, model: str, dtype: str, path: Path, threads: int) -> measure.Figures:
    """Embed a file in one way, in this process or by a cluster that it starts; return what that took.

    Args:
        way: `ONE` or `RAY`.
        model: name of the model.
        dtype: data type to compute in.
        path: the file of texts; that of the vectors is written beside it, and removed.
        threads: number of threads of this process, or of workers of the cluster.
    """
    began, start, before = time.perf_counter(), 0.0, processor_seconds()
    if way == RAY:
        start = start_cluster(threads)
    start_processor = processor_seconds() - before
    import wordworth as ww

    out = path.with_suffix(".npy")
    choices: dict[str, Any] = {"model": model, "dtype": dtype}
    choices |= {"engine": "ray", "threads": 1} if way == RAY else {"threads": threads}
    ww.embed(path, out, **choices)
    processor = processor_seconds() - before
    if way == RAY:
        import ray

        ray.shutdown()
    seconds = time.perf_counter() - began
    from wordworth.files import sha256

    check = int(sha256(out)[:12], 16)
    out.unlink()
    figures = {"seconds": seconds, "processor": processor, "check": float(check)}
    return figures | ({"start_seconds": start, "start_processor": start_processor} if way == RAY else {})


def start_cluster(workers: int) -> float:
    """Start a cluster on this machine with so many cores; return the seconds until it is ready."""
    began = time.perf_counter()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, configure_logging=False)
    return time.perf_counter() - began


def processor_seconds() -> float:
    """Return the processor seconds of this process and of all processes below it, those that ended included."""
    parents, ticks = dict[int, int](), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        process = int(stat.parent.name)
        parents[process], ticks[process] = int(fields[1]), sum(map(int, fields[11:15]))
    return sum(ticks[process] for process in ticks if is_below(process, os.getpid(), parents)) / _TICKS


def is_below(process: int, ancestor: int, parents: dict[int, int]) -> bool:
    """Return whether a process is `ancestor` or was started by it or by another process below it."""
    while process != ancestor:
        if process not in parents:
            return False
        process = parents[process]
    return True


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        name, of, kind, texts, number = sys.argv[2:7]
        run_script(lambda: print(json.dumps(run(name, of, kind, Path(texts), int(number)))))
    else:
        run_script(main)
