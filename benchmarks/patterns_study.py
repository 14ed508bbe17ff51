"""The whole of `study patterns`, beside maps that transformers returns and that are kept: seconds and peak memory.

    python benchmarks/patterns_study.py --segments 1000 --threads 2 --out record.json
    python benchmarks/patterns_study.py --segments 1000 --beside 0     # the study alone

Both read the same segments with MiniLM, in a process of its own each. The study also takes gradients, reads encoders
with random weights, and writes its page; the published way, that of `attention_statistics.py`, is the statistics alone.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import attention_statistics
import measure
from wordworth.cli.scripts import run_script

_WHOLE, _KEPT = "study patterns", "kept maps"


def main() -> None:
    """Run both ways and report seconds, peak memory and their ratios."""
    options = measure.arguments(__doc__, segments=1_000, length=128, rounds=1, beside=1)
    load = os.getloadavg()[0]
    values = options.segments, options.length, options.threads
    ways = (_WHOLE, _KEPT) if options.beside else (_WHOLE,)
    runs = measure.in_processes(Path(__file__), ways, values, options.rounds)
    named = {"segments": options.segments, "length": options.length, "threads": options.threads}
    measure.report({**named, "load at the start": load, **measure.compared(runs, ways[-1])}, options.out)


def whole(segments: int, length: int) -> float:
    """Run the study and return the number of segments that it read."""
    import wordworth as ww

    texts = attention_statistics.texts(segments)
    with TemporaryDirectory() as folder:
        record = ww.study_patterns(texts, limit=segments, length=length, out=Path(folder) / "patterns")
    return float(record.data["segments"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        import torch

        number, tokens, threads = map(int, sys.argv[3:6])
        torch.set_num_threads(threads)
        ways = {_WHOLE: whole, _KEPT: attention_statistics.kept_maps}
        run_script(lambda: measure.report_way(lambda: ways[sys.argv[2]](number, tokens)))
    else:
        run_script(main)
