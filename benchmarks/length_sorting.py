"""What sorting texts by length gives `encode` and sentence-transformers: the whole, and batches in the order given.

    python benchmarks/length_sorting.py --texts 600 --rounds 5 --threads 1 --out docs/records/length_sorting.json

MiniLM in float32 reads mixed texts of 5 to 250 tokens: all at once, which both libraries sort by length, and 32 at a
time in the order given, for which they cannot. Vectors are compared before anything is timed; seconds are the
processor's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

import measure
from minilm import minilm
from mixed_texts import mixed_texts
from wordworth.cli.scripts import run_script
from wordworth.sources import resolve

BATCH = 32
Encode = Callable[[list[str]], np.ndarray]


def in_order(encode: Encode) -> Encode:
    """Return what encodes batches in the order given."""
    return lambda texts: np.concatenate([encode(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)])


def rows(lengths: list[int], *, ordered: bool) -> int:
    """Return the number of tokens of batches that are padded to their longest text.

    Args:
        lengths: number of tokens of each text.
        ordered: whether texts are sorted by length.
    """
    each = sorted(lengths) if ordered else lengths
    batches = [each[start : start + BATCH] for start in range(0, len(each), BATCH)]
    return sum(len(batch) * max(batch) for batch in batches)


def main() -> None:
    """Compare, warm up, take turns, report."""
    options = measure.arguments(__doc__, texts=600, rounds=5)
    torch.set_num_threads(options.threads)
    ours, peer = minilm("float32"), SentenceTransformer(str(resolve("minilm").folder), device="cpu")
    whole: dict[str, Encode] = {
        "wordworth": ours.encode,
        "sentence-transformers": lambda texts: peer.encode(texts, show_progress_bar=False),
    }
    works = {name: {"sorted": encode, "in the order given": in_order(encode)} for name, encode in whole.items()}
    texts = mixed_texts(options.texts, ours.tokenizer)
    apart = {
        name: float(abs(np.subtract(*(encode(texts) for encode in of.values()))).max()) for name, of in works.items()
    }
    seconds = measure.in_turns(
        {f"{name}, {way}": partial(encode, texts) for name, of in works.items() for way, encode in of.items()},
        options.rounds,
        clock=time.process_time,
    )
    lengths = [len(ids) for ids in ours.tokenizer.ids(texts)]
    gains = {name: measure.ratios(seconds, f"{name}, in the order given")[f"{name}, sorted"] for name in works}
    counts = {
        "without padding, as wordworth computes": sum(lengths),
        "padded, sorted": rows(lengths, ordered=True),
        "padded, in the order given": rows(lengths, ordered=False),
    }
    facts = {"texts": len(texts), "rounds": options.rounds, "threads": options.threads}
    report = {"tokens": counts, "times_faster_sorted": gains, "seconds": seconds, "largest_difference": apart}
    measure.report({**facts, **report}, options.out)


if __name__ == "__main__":
    run_script(main)
