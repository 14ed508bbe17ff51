"""What the ladder of frozen rungs costs apart from the encoder's one pass.

Question: on 5,000 texts, 8 sizes and 5 seeds, do all fits of all frozen rungs (selection included) and all cheap
features together take less time than the one pass of the contextual encoder over the texts?

    python benchmarks/ladder_overhead.py [mr|ag_news|trec|…] [--dtype float32|bfloat16]

Texts come from WORDWORTH_DATA or ../shared/data. Both times are of the same run, on the same two threads; processor
seconds stand in brackets.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from measure import data_file, data_folder
from minilm import minilm
from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.cli.scripts import run_script
from wordworth.measures.metrics import metric
from wordworth.models.cpu_inference import DtypeOption
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import Learner, RunContext
from wordworth.tasks.task import Examples, Task

SIZES = [32, 64, 128, 256, 512, 1024, 2048, 4096]
TEXTS, SEEDS = 5000, 5


def read(name: str) -> Task:
    """Read 5,000 texts of a data set, 4,096 of them to learn from."""
    folder = data_folder() / name
    file = data_file(folder, "*all*.csv*", "*train*.csv*")
    rows = pd.read_csv(file, keep_default_na=False).sample(TEXTS, random_state=0)
    labels, classes = pd.factorize(rows.label, sort=True)
    numbers = np.arange(TEXTS)
    examples = Examples(tuple(rows.text.astype(str)))
    train, test = numbers[: SIZES[-1]], numbers[SIZES[-1] :]
    return Task(
        name, "classification", examples, labels.astype(np.int64), tuple(map(str, classes)), train, test, "accuracy"
    )


@contextmanager
def clock(name: str, into: dict[str, np.ndarray]) -> Iterator[None]:
    """Time a block into `into[name]`: float64 [2], seconds by the clock and of processors."""
    began = np.array([time.perf_counter(), time.process_time()])
    yield
    into[name] = np.array([time.perf_counter(), time.process_time()]) - began


def fit_all(name: str, learner: Learner, task: Task, threads: int) -> list[float]:
    """Fit and score at every size; return the accuracies, averaged over the seeds.

    Args:
        name: the rung, from which the seeds of its fits follow.
        learner: the opened rung.
        task: what is learned.
        threads: fits at the same time.
    """

    def fit(job: tuple[int, int]) -> float:
        size, seed = job
        rows = seeds.child(seed, "rows").permutation(task.train)[:size]
        predictions = learner.redraw(seed).fit(rows, seeds.child(seed, name, size)).predict(task.test)
        return float(metric("accuracy", task.classes).score(task.gold(task.test), predictions))

    jobs = [(size, seed) for size in SIZES for seed in range(SEEDS)]
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        scores: list[float] = np.reshape(list(pool.map(fit, jobs)), (len(SIZES), SEEDS)).mean(1).tolist()
    return scores


def run(task: Task, dtype: DtypeOption, threads: int) -> dict[str, dict[str, np.ndarray]]:
    """Return the seconds of opening and of learning, by rung."""
    seconds: dict[str, dict[str, np.ndarray]] = {"open": {}, "fit": {}}
    with tempfile.TemporaryDirectory() as folder:
        run_context = RunContext(ArrayCache(Path(folder)), threads=threads)
        minilm(dtype).encode(task.examples.first[:32])  # the model's files are in memory, kernels warm
        with clock("encoder", seconds["open"]):
            minilm(dtype).pooled_layers(task.examples.first)
        for rung in default_ladder("classification", finetune=None):
            with clock(rung.name, seconds["open"]):
                learner = rung.prepare(task, run_context)
            with clock(rung.name, seconds["fit"]):
                scores = fit_all(rung.name, learner, task, threads)
            opened, learned = seconds["open"][rung.name], seconds["fit"][rung.name]
            print(f"{rung.name:14} open {opened[0]:6.2f} s ({opened[1]:.2f})", end=", ")
            print(f"{len(SIZES) * SEEDS} fits {learned[0]:6.2f} s ({learned[1]:.2f})", end="   ")
            print(*(f"{score:.3f}" for score in scores), flush=True)
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Print each rung's times and the one ratio that is claimed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default="mr")
    parser.add_argument("--dtype", choices=get_args(DtypeOption), default="float32")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    seconds = run(read(options.data), options.dtype, options.threads)
    encoder = seconds["open"].pop("encoder")
    opened = seconds["open"].pop("minilm")  # its pass; the other contextual rungs read the cache
    rest = np.sum([*seconds["open"].values(), *seconds["fit"].values()], axis=0)
    for column, unit in enumerate(("wall clock", "processor")):
        print(
            f"{unit}: encoder's pass ({options.dtype}) {encoder[column]:.1f} s, as a rung {opened[column]:.1f} s",
            end="; ",
        )
        print(f"everything else {rest[column]:.1f} s = {rest[column] / encoder[column]:.2f} of the pass")


if __name__ == "__main__":
    run_script(main)
