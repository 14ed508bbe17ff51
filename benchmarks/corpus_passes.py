"""Planning a pass over a store, and gathering the sequences of a step of 32,768 tokens.

python benchmarks/corpus_passes.py STORE
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import measure
from wordworth.cli.scripts import run_script, writable_path
from wordworth.text.corpus.pretraining_sequences import InstanceStream
from wordworth.text.corpus.samplers.base import Sampler
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.samplers.sentence_order import SentenceOrderPairs
from wordworth.text.corpus.token_store import TokenStore

_TOKENS = 32_768
_STEPS = 100


def main() -> None:
    """Time every sampler at both lengths of the paper."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    store = TokenStore.open(options.store)
    generators: dict[str, Callable[[int], Sampler]] = {
        "original": lambda length: BertPairs(store=store, length=length),
        "packed": lambda length: PackedTexts(store=store, length=length),
        "packed across": lambda length: PackedTexts(store=store, length=length, across=True),
        "order": lambda length: SentenceOrderPairs(store=store, length=length),
    }
    rows = [
        {"generator": name, "length": length, **figures(make(length), length, options.rounds)}
        for name, make in generators.items()
        for length in (128, 512)
    ]
    measure.report({"tokens": len(store.ids), "rows": rows}, options.out)


def figures(generator: Sampler, length: int, rounds: int) -> dict[str, object]:
    """Return the seconds to plan a pass, and the milliseconds to gather a step by the clock and of a core."""
    plans, walls, cores = [], [], []
    for number in range(rounds):
        began = time.process_time()
        plan = generator.plan(number)
        plans.append(time.process_time() - began)
    stream = InstanceStream(generator, batch_size=_TOKENS // length)
    stream.batch(0)
    for _ in range(rounds):
        wall, core = time.perf_counter(), time.process_time()
        for step in range(_STEPS):
            stream.batch(step)
        walls.append(1000 * (time.perf_counter() - wall) / _STEPS)
        cores.append(1000 * (time.process_time() - core) / _STEPS)
    return {
        "sequences": len(plan),
        "plan_core_seconds": measure.Spread.of(plans),
        "batch_wall_ms": measure.Spread.of(walls),
        "batch_core_ms": measure.Spread.of(cores),
    }


if __name__ == "__main__":
    run_script(main)
