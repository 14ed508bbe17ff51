"""Milliseconds of `encode` for one text or a few, beside sentence-transformers and onnxruntime, taking turns.

    python benchmarks/few_texts.py --calls 40 --rounds 5 --out docs/records/few_texts.json

A few texts are one batch, which all threads compute together; "one thread" is the same call with one thread alone,
as each of many batches is computed. Each way runs in a process of its own, so that no other library's threads wait
beside it.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import torch

import measure
from minilm import minilm
from mixed_texts import sentences
from throughput import Encode, peers
from wordworth.cli.scripts import run_script
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.sources import resolve

CASES = {"a sentence": (1, 1), "a paragraph": (1, 6), "8 sentences": (8, 1), "32 sentences": (32, 1)}
"""Name -> the number of texts, and how many sentences make one."""
OURS, WARM_UP = "wordworth float32", 5
_ONE_THREAD = ", one thread"
WAYS = (
    "sentence-transformers float32",
    "sentence-transformers bfloat16",
    "onnxruntime float32",
    OURS,
    OURS + _ONE_THREAD,
    "wordworth bfloat16",
    "wordworth bfloat16" + _ONE_THREAD,
)


def texts_of(case: str) -> list[str]:
    """Return the texts of a case: sentences of STS, joined where texts are long."""
    number, joined = CASES[case]
    drawn = list(islice(sentences(), number * joined))
    return [" ".join(drawn[start : start + joined]) for start in range(0, len(drawn), joined)]


def encode_of(way: str) -> Encode:
    """Return the encoder of a way."""
    if not way.startswith("wordworth"):
        return peers(resolve("minilm").folder)[way]
    encode = minilm("float32" if "float32" in way else "bfloat16").encode
    return on_one_thread(encode) if way.endswith(_ONE_THREAD) else encode


def on_one_thread(encode: Encode) -> Encode:
    """Return an encoder that computes on one thread."""

    def limited(texts: list[str]) -> np.ndarray:
        with ONE_THREAD.limit():
            return encode(texts)

    return limited


def milliseconds(encode: Callable[[list[str]], np.ndarray], texts: list[str], calls: int) -> float:
    """Return the median milliseconds of a call, after a few that do not count."""
    times = []
    for _ in range(WARM_UP + calls):
        began = time.perf_counter()
        encode(texts)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times[WARM_UP:])


def run_way(way: str, calls: int, threads: int) -> None:
    """Print the milliseconds of every case."""
    torch.set_num_threads(threads)
    encode = encode_of(way)
    print(json.dumps({case: milliseconds(encode, texts_of(case), calls) for case in CASES}))


def main() -> None:
    """Run the ways by turns, and report what each case takes."""
    options = measure.arguments(__doc__, calls=40, rounds=5)
    runs = measure.in_processes(Path(__file__), WAYS, (options.calls, options.threads), options.rounds)
    times = {case: {way: [run[case] for run in of] for way, of in runs.items()} for case in CASES}
    figures = {
        case: {
            "milliseconds": {way: measure.Spread.of(each) for way, each in ways.items()},
            "ours_times_as_fast": {
                way: measure.Spread.of([other / ours for other, ours in zip(each, ways[OURS], strict=True)])
                for way, each in ways.items()
            },
        }
        for case, ways in times.items()
    }
    tokenizer = minilm("float32").tokenizer
    tokens = {case: float(np.mean([len(ids) for ids in tokenizer.ids(texts_of(case))])) for case in CASES}
    numbers = {"calls": options.calls, "rounds": options.rounds, "threads": options.threads, "tokens_a_text": tokens}
    measure.report({**numbers, "figures": figures}, options.out)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: run_way(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    else:
        run_script(main)
