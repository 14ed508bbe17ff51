"""The whole of `study heads` on a fine-tuned model: seconds, processor seconds and memory.

    python benchmarks/heads_study.py run/ dev.csv --rows 1000 --threads 1

`run/` is the folder of a fine-tuning, `dev.csv` has labelled rows that the model did not learn from. The study runs in
a process of its own with an empty cache, from reading the run to the written page.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import measure

WAY = "study heads"


def main() -> None:
    """Run the study and report what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    values = options.run, options.data, options.rows, options.threads
    runs = measure.in_processes(Path(__file__), [WAY], values, rounds=1)
    named = {"rows": options.rows, "threads": options.threads, "load at the start": load}
    measure.report({**named, **measure.compared(runs, WAY)}, options.out)


def study(run: Path, data: Path, rows: int, threads: int) -> float:
    """Run the study and return how many rows it used.

    Args:
        run: folder of a fine-tuning.
        data: file of labelled rows.
        rows: most rows of the data.
        threads: of torch.
    """
    import torch

    import wordworth as ww

    torch.set_num_threads(threads)
    with TemporaryDirectory() as folder:
        os.environ["WORDWORTH_CACHE"] = folder
        record = ww.study_heads(run, data, limit=rows, out=Path(folder) / "heads")
    return float(record.data["choosing"] + record.data["measuring"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run, data, rows, threads = sys.argv[3:7]
        measure.report_way(lambda: study(Path(run), Path(data), int(rows), int(threads)))
    else:
        main()
