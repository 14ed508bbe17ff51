"""The whole of `study heads` on a fine-tuned model: seconds, processor seconds and memory.

    python benchmarks/heads_study.py run/ dev.csv --rows 1000 --threads 1 --second-run run2/ --record heads.json

`run/` is the folder of a fine-tuning, `run2/` of another that differs in its seed, `dev.csv` has labelled rows that the
models did not learn from. The study runs in a process of its own with an empty cache, from reading the run to the
written page; its record is kept too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import measure
from wordworth.cli.scripts import run_script, writable_path

WAY = "study heads"


def main() -> None:
    """Run the study and report what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--second-run", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    values = options.run, options.data, options.second_run or "", options.record or "", options.rows, options.threads
    runs = measure.in_processes(Path(__file__), [WAY], values, rounds=1)
    named = {"rows": options.rows, "threads": options.threads, "load at the start": load}
    measure.report({**named, **measure.compared(runs, WAY)}, options.out)


def study(run: Path, data: Path, second: Path | None, record_file: Path | None, rows: int, threads: int) -> float:
    """Run the study and return how many rows it used.

    Args:
        run: folder of a fine-tuning.
        data: file of labelled rows.
        second: folder of a fine-tuning that differs in its seed.
        record_file: where a copy of the record goes.
        rows: most rows of the data.
        threads: of torch.
    """
    import torch

    import wordworth as ww

    torch.set_num_threads(threads)
    with TemporaryDirectory() as folder:
        os.environ["WORDWORTH_CACHE"] = folder
        record = ww.study_heads(run, data, second_run=second, limit=rows, out=Path(folder) / "heads")
        if record_file is not None:
            shutil.copy(Path(folder) / "heads" / "record.json", record_file)
    return float(record.data["choosing"] + record.data["measuring"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run, data = map(Path, sys.argv[3:5])
        second, kept = (Path(name) if name else None for name in sys.argv[5:7])
        rows, threads = map(int, sys.argv[7:9])
        run_script(lambda: measure.report_way(lambda: study(run, data, second, kept, rows, threads)))
    else:
        run_script(main)
