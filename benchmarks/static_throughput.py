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
from wordworth.models.static.read import read_static
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
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    texts = read_rows(given.texts).columns[given.text]
    seconds = timed(texts, given.table, given.encoder, given.rounds)
    rates = {name: [1 / each for each in found] for name, found in seconds.items()}
    report(
        {
            "texts": len(texts),
            "words a text": round(float(np.mean([len(text.split()) for text in texts])), 1),
            "largest difference of the two readers' vectors": off(texts, given.table),
            "texts a second": {name: Spread.of(found) for name, found in rates.items()},
            "times as fast": {
                f"{ours} / {theirs}": Spread.of([a / b for a, b in zip(rates[ours], rates[theirs], strict=True)])
                for ours in ("wordworth, words new", "wordworth, words remembered")
                for theirs in ("model2vec", "sentence-transformers")
            },
        },
        given.out,
    )


def timed(texts: list[str], table: str, encoder: str, rounds: int) -> dict[str, list[float]]:
    """Processor seconds of the whole process for a text, in each round: other work on the machine does not count."""
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


def off(texts: list[str], table: str) -> float:
    """How far the vectors of the two readers are apart at most."""
    from model2vec import StaticModel

    theirs = StaticModel.from_pretrained(table).encode(texts, use_multiprocessing=False)
    return float(np.abs(read_static(table).encode(texts) - theirs).max())


if __name__ == "__main__":
    main()
