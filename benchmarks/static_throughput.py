"""From text to vector: a static table here and in model2vec, and the encoder in sentence-transformers, in turns.

    python benchmarks/static_throughput.py reviews.csv --text text --table static/ --out record.json

The same texts, in one process; the table is the same folder for both readers, and their vectors are compared. A table
is timed twice: the first time that it meets the texts, and once it remembers their words. Needs `wordworth[peers]`.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from measure import Spread, report
from wordworth.cli.scripts import run_script, writable_path
from wordworth.models.static.read_static_table import read_static
from wordworth.sources import resolve
from wordworth.text.file_formats.read import read_rows

FEW = 64
"""Texts that the encoder reads in each round: it takes a hundred times as long as the rest."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--text", default="text", help="column of the texts")
    parser.add_argument("--table", required=True, help="a folder that both readers load")
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    texts = read_rows(options.texts).columns[options.text]
    seconds = timed(texts, options.table, options.encoder, options.rounds)
    rates = {name: [1 / each for each in times] for name, times in seconds.items()}
    report(
        {
            "texts": len(texts),
            "words a text": round(float(np.mean([len(text.split()) for text in texts])), 1),
            "largest difference of the two readers' vectors": largest_difference(texts, options.table),
            "texts a second": {name: Spread.of(times) for name, times in rates.items()},
            "times as fast": {
                f"{ours} / {theirs}": Spread.of([a / b for a, b in zip(rates[ours], rates[theirs], strict=True)])
                for ours in ("wordworth, words new", "wordworth, words remembered")
                for theirs in ("model2vec", "sentence-transformers")
            },
        },
        options.out,
    )


def timed(texts: list[str], table: str, encoder: str, rounds: int) -> dict[str, list[float]]:
    """Return the processor seconds of the whole process for each text, by round; other work does not count.

    Args:
        texts: what is encoded.
        table: folder of the static table, for both readers.
        encoder: name or folder of the encoder that sentence-transformers runs.
        rounds: how often each is timed.
    """
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

    peer = SentenceTransformer(str(resolve(encoder).folder), device="cpu")
    theirs, few = StaticModel.from_pretrained(table), texts[:: max(1, len(texts) // FEW)][:FEW]
    seconds: dict[str, list[float]] = {}

    def once(name: str, count: int, work: Any) -> None:
        began = time.process_time()
        work()
        seconds.setdefault(name, []).append((time.process_time() - began) / count)

    for _ in range(rounds):
        ours = read_static(table)
        once("wordworth, words new", len(texts), lambda ours=ours: ours.encode(texts))
        once("wordworth, words remembered", len(texts), lambda ours=ours: ours.encode(texts))
        once("model2vec", len(texts), lambda: theirs.encode(texts, use_multiprocessing=False))
        once("sentence-transformers", len(few), lambda: peer.encode(few))
    return seconds


def largest_difference(texts: list[str], table: str) -> float:
    """Return the largest difference between the vectors of the two readers."""
    from model2vec import StaticModel

    theirs = StaticModel.from_pretrained(table).encode(texts, use_multiprocessing=False)
    return float(np.abs(read_static(table).encode(texts) - theirs).max())


if __name__ == "__main__":
    run_script(main)
