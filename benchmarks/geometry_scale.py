"""What more occurrences cost the study of contextual vectors: its own index, pass and measures on made-up text.

Vectors come from a small bank, a block at a time, so that making them is cheap; it is not counted. Each size has a
process of its own, so that its memory is its own. Seconds are the processor's.

    python benchmarks/geometry_scale.py --rounds 3 --most 10000000
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import measure
from wordworth.cli.scripts import run_script
from wordworth.progress import SILENT
from wordworth.studies.contextuality.collect_layer_vectors import collect
from wordworth.studies.contextuality.layer_measures import LayerData, compute_measures
from wordworth.studies.contextuality.sampling_plan import list_occurrences, plan
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.word_vectors_by_layer import LayerReader

SIZES = (100_000, 1_000_000, 3_000_000, 10_000_000)
WIDTH, WORDS, LENGTH, BANK = 128, 5_000, 100, 4_096
STAGES = ("index", "pass", "measures")


@dataclass(frozen=True, kw_only=True)
class MadeUp(LayerReader):
    """Sentences of a hundred words, frequent ones more often; a text is its number, which says its words and noise."""

    words: NDArray[np.int64]
    own: NDArray[np.float32]
    noise: NDArray[np.float32]
    name: str = "made-up"
    layers: int = 1
    width: int = WIDTH
    unit: str = "words"
    spent: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, occurrences: int) -> MadeUp:
        """Draw sentences with `occurrences` words in all."""
        rng, share = np.random.default_rng(0), 1 / np.arange(10, WORDS + 10)
        words = rng.choice(WORDS, (occurrences // LENGTH, LENGTH), p=share / share.sum())
        own, noise = (rng.normal(0.2, 1, (number, WIDTH)).astype(np.float32) for number in (WORDS, BANK))
        return cls(words=words, own=own, noise=noise)

    def forms(self, texts: Sequence[str]) -> list[list[str | None]]:
        """Return the words of each sentence."""
        names = np.array([f"w{word}" for word in range(WORDS)], dtype=object)
        return [names[row].tolist() for row in self.words[list(map(int, texts))]]

    def vectors(self, texts: Sequence[str | Sequence[str]]) -> NDArray[np.float32]:
        """Return float32 [1, words, width]: each word's own vector plus noise from the bank."""
        began = time.thread_time()
        numbers = [int(str(text)) for text in texts]
        words = self.words[numbers].ravel()
        noise = (np.arange(len(words)) + 7 * numbers[0]) % BANK
        vectors = self.own[words] + self.noise[noise]
        self.spent.append(time.thread_time() - began)
        return vectors[None]


def main() -> None:
    """Run every size in every round."""
    options = measure.arguments(__doc__, rounds=3, most=SIZES[-1])
    sizes = [size for size in SIZES if size <= options.most]
    spawned = multiprocessing.get_context("spawn")
    runs: dict[int, list[dict[str, float]]] = {size: [] for size in sizes}
    for _ in range(options.rounds):
        for size in sizes:
            with ProcessPoolExecutor(1, mp_context=spawned) as pool:
                runs[size].append(pool.submit(streamed, size).result())
    base = 1_000_000 if options.most >= 1_000_000 else sizes[0]
    rows = [_row(size, runs[size], (base, runs[base])) for size in sizes]
    measure.report({"width": WIDTH, "words": WORDS, "rounds": options.rounds, "sizes": rows}, options.out)


def _row(size: int, runs: list[dict[str, float]], base: tuple[int, list[dict[str, float]]]) -> dict[str, Any]:
    """Return seconds by stage, memory, and the ratio to what linear growth from the base's size predicts."""
    row: dict[str, Any] = {"occurrences": size}
    for stage in STAGES:
        row[f"seconds, {stage}"] = measure.Spread.of([run[stage] for run in runs])
    for stage in STAGES[:2]:
        pairs = zip(runs, base[1], strict=True)
        row[f"times linear, {stage}"] = measure.Spread.of([a[stage] / b[stage] * base[0] / size for a, b in pairs])
    for memory in ("MB after the index", "MB at the peak of the pass and the measures"):
        row[memory] = measure.Spread.of([run[memory] for run in runs])
    return row


def streamed(occurrences: int) -> dict[str, float]:
    """Return processor seconds of each stage at this size, and resident memory in MB."""
    torch.set_num_threads(1)
    settings, model = ContextSettings(explorer=0), MadeUp.of(occurrences)
    texts = tuple(map(str, range(len(model.words))))
    forms = model.forms(texts)
    clock = [time.process_time()]
    of = list_occurrences(forms, settings)
    del forms
    planned = plan(of, np.ones(len(texts), np.int64), settings)
    clock.append(time.process_time())
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    held = _memory("VmRSS")
    seen = collect(model, texts, of, planned, SILENT)
    clock.append(time.process_time())
    compute_measures(LayerData(model.name, of, planned, seen, settings))
    clock.append(time.process_time())
    index, reading, rest = np.diff(clock).tolist()
    seconds = dict(zip(STAGES, (index, reading - sum(model.spent), rest), strict=True))
    return {**seconds, "MB after the index": held, "MB at the peak of the pass and the measures": _memory("VmHWM")}


def _memory(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(name))


if __name__ == "__main__":
    run_script(main)
