"""Seconds from a fresh interpreter to the first vector, against sentence-transformers; then one short text at a time.

python benchmarks/cold_start.py --rounds 5
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import torch

import measure
import wordworth as ww
from wordworth.sources import resolve

OURS = "import wordworth as ww; ww.load('minilm').encode(['a text'])"
THEIRS = """
import sys
from sentence_transformers import SentenceTransformer
SentenceTransformer(sys.argv[1], device="cpu").encode(["a text"])
"""
TORCH = "import torch"
PACKAGE = "import wordworth"
HELP = "import sys; sys.argv = ['wordworth', '--help']; from wordworth.cli import main; main()"


def main() -> None:
    """Fresh interpreters in turns, then latency in this one."""
    asked = measure.arguments(__doc__, rounds=5, texts=500)
    folder = str(resolve("minilm").folder)
    scripts = {"wordworth": OURS, "sentence-transformers": THEIRS, "import torch": TORCH}
    scripts |= {"import wordworth": PACKAGE, "wordworth --help": HELP}
    works = {name: lambda script=script: _fresh(script, folder) for name, script in scripts.items()}
    seconds = measure.in_turns(works, asked.rounds)
    torch.set_num_threads(asked.threads)
    latency = {dtype: _latency(dtype, asked.texts) for dtype in ("float32", "bfloat16", "int8")}
    found = {name: measure.Spread.of(times) for name, times in seconds.items()}
    measure.report({"seconds": found, "rounds": asked.rounds, "one_text_ms": latency}, asked.out)


def _fresh(script: str, folder: str) -> None:
    quiet = {**os.environ, "HF_HUB_OFFLINE": "1"}
    subprocess.run([sys.executable, "-c", script, folder], check=True, env=quiet, capture_output=True)


def _latency(dtype: str, number: int) -> dict[str, float]:
    """Milliseconds of one short text after another, none twice."""
    encoder, times = ww.load("minilm", dtype=dtype), []
    for count in range(number + 20):
        began = time.perf_counter()
        encoder.encode([f"Where can I change the password of account {count}?"])
        times.append(1000 * (time.perf_counter() - began))
    times = sorted(times[20:])
    return {"p50": times[len(times) // 2], "p95": times[int(len(times) * 0.95)], "least": times[0]}


if __name__ == "__main__":
    main()
