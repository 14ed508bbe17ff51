"""What each trick that changes the whole process is worth: the same work with and without it, in turns.

    python benchmarks/process_tricks.py --rounds 5

* the end: a command leaves without taking itself apart (`wordworth.cli.entry_point.leave`).
* threads: batches are read on one thread each (`wordworth.models.parallel_map`), not each product on all of them.

Freed memory kept between training steps has a benchmark of its own, `freed_memory.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch

import measure
from wordworth.cli.scripts import run_script
from wordworth.models.batch import Batch, pack
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.parallel_map import parallel_map
from wordworth.text.tokens import ids_only

WITH, WITHOUT = "with", "without"
ENDS = {
    WITH: "import torch; from wordworth.cli.entry_point import leave; leave(0)",
    WITHOUT: "import torch",
}
STEPS, SEQUENCES, LENGTH = 8, 16, 128


def main() -> None:
    """Time the work with and without every trick, in turns; a ratio above 1 means that the trick makes it faster."""
    options = measure.arguments(__doc__, rounds=5)
    torch.set_num_threads(options.threads)
    network = bert(BertConfig(hidden_size=128, num_layers=2, num_heads=2, intermediate_size=512))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.02)
    tricks: dict[str, Mapping[str, Callable[[], Any]]] = {
        "the end of a command": {name: partial(_process, script) for name, script in ENDS.items()},
        "a batch on each thread": {WITH: partial(_read, network), WITHOUT: partial(_read_by_turns, network)},
    }
    figures = {}
    for trick, works in tricks.items():
        for work in works.values():
            work()  # what is compiled or cached once
        seconds = measure.in_turns(works, options.rounds)
        figures[trick] = {
            "seconds": {name: measure.Spread.of(times) for name, times in seconds.items()},
            "times_faster": measure.ratios(seconds, WITHOUT)[WITH],
        }
    measure.report({"tricks": figures, "rounds": options.rounds, "threads": options.threads}, options.out)


def _process(script: str) -> None:
    """A fresh interpreter, from its start to its end."""
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "HF_HUB_OFFLINE": "1"})


def _batches() -> list[Batch]:
    rng = np.random.default_rng(0)
    return [pack([ids_only(rng.integers(5, 30_000, LENGTH)) for _ in range(SEQUENCES)]) for _ in range(STEPS)]


def _read(network: torch.nn.Module) -> None:
    list(parallel_map(partial(_states, network), _batches()))


def _read_by_turns(network: torch.nn.Module) -> None:
    list(map(partial(_states, network), _batches()))


def _states(network: torch.nn.Module, batch: Batch) -> torch.Tensor:
    with torch.inference_mode():
        states: torch.Tensor = network(batch)
        return states


if __name__ == "__main__":
    run_script(main)
