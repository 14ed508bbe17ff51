"""Seconds from a fresh interpreter to the first vector, against sentence-transformers; then one short text at a time.

    python benchmarks/cold_start.py --rounds 5

A first vector is there when its first number has been read from the process. `wordworth embed` is the whole command,
from its start until its process has ended, with a file of one text; so is `import torch`, the floor of every such
command, once to the end and once to where torch can be used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import torch

import measure
from minilm import minilm
from wordworth.cli.scripts import run_script
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.sources import resolve

OURS = "import wordworth as ww; print(ww.load('minilm').encode(['a text'])[0, 0], flush=True)"
THEIRS = """
import sys
from sentence_transformers import SentenceTransformer
print(SentenceTransformer(sys.argv[1], device="cpu").encode(["a text"])[0, 0], flush=True)
"""
TORCH = "import torch; print(1, flush=True)"
PACKAGE = "import wordworth"
HELP = "import sys; sys.argv = ['wordworth', '--help']; from wordworth.cli import main; main()"


def main() -> None:
    """Time fresh interpreters by turns, then single texts in this one."""
    options = measure.arguments(__doc__, rounds=5, texts=500)
    folder = str(resolve("minilm").folder)
    until = {"wordworth, first vector": OURS, "sentence-transformers, first vector": THEIRS, "torch can be used": TORCH}
    whole = {"import torch": TORCH, "import wordworth": PACKAGE, "wordworth --help": HELP}
    works: dict[str, Callable[[], None]] = {name: partial(_first, script, folder) for name, script in until.items()}
    works |= {name: partial(_whole, "-c", script) for name, script in whole.items()}
    with tempfile.TemporaryDirectory() as work:
        works["wordworth embed"] = partial(_embed, Path(work))
        seconds = measure.in_turns(works, options.rounds)
    torch.set_num_threads(options.threads)
    latency = {dtype: _latency(dtype, options.texts) for dtype in get_args(Dtype)}
    spreads = {name: measure.Spread.of(times) for name, times in seconds.items()}
    measure.report({"seconds": spreads, "rounds": options.rounds, "one_text_ms": latency}, options.out)


def _quiet() -> dict[str, str]:
    return {**os.environ, "HF_HUB_OFFLINE": "1"}


def _first(script: str, folder: str) -> None:
    """Run a script until it has printed its first letter; do not wait for its end."""
    command = [sys.executable, "-c", script, folder]
    with subprocess.Popen(command, env=_quiet(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.read(1)
        process.kill()


def _whole(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, env=_quiet(), capture_output=True)


def _embed(folder: Path) -> None:
    (folder / "one.txt").write_text("a text\n", encoding="utf-8")
    _whole("-m", "wordworth", "embed", str(folder / "one.txt"), "--out", str(folder / "one.npy"))


def _latency(dtype: Dtype, number: int) -> dict[str, float]:
    """Return milliseconds of single short texts, none twice."""
    encoder, times = minilm(dtype), []
    for count in range(number + 20):
        began = time.perf_counter()
        encoder.encode([f"Where can I change the password of account {count}?"])
        times.append(1000 * (time.perf_counter() - began))
    times = sorted(times[20:])
    return {"p50": times[len(times) // 2], "p95": times[int(len(times) * 0.95)], "least": times[0]}


if __name__ == "__main__":
    run_script(main)
