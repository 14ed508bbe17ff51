"""Texts per second of `encode` on a GPU beside sentence-transformers, taking turns in one process.

    python benchmarks/encode_gpu.py --texts 20000 --rounds 5

The same random weights of MiniLM's shape, the same made-up texts of 3 to 200 words in random order, and the whole call
timed, tokenizing included. Vectors are compared with sentence-transformers' float32 before anything is timed.
sentence-transformers runs as it comes (batches of 32) and with batches of 512, in float32 and in bfloat16.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

import measure
from gpu_material import made_up_texts, write_encoder
from throughput import agreement, operations
from wordworth.cli.scripts import run_script
from wordworth.models.devices import device_of, name_of
from wordworth.models.read_encoder import read_encoder
from wordworth.training.pretraining.run_logger import matmul_peak

DEVICE = "cuda"
BASE, HALF, LARGE = "sentence-transformers float32", "sentence-transformers bfloat16", ", batches of 512"
Encode = Callable[[list[str]], np.ndarray]


def peers(folder: Path) -> dict[str, Encode]:
    """Return the other library's encoders of the same checkpoint."""
    plain = SentenceTransformer(str(folder), device=DEVICE)
    half = SentenceTransformer(str(folder), device=DEVICE, model_kwargs={"dtype": torch.bfloat16})

    def encode(model: SentenceTransformer, texts: list[str], batch: int = 32) -> Any:
        return (
            model.encode(texts, batch_size=batch, show_progress_bar=False, convert_to_tensor=True).float().cpu().numpy()
        )

    return {
        BASE: partial(encode, plain),
        BASE + LARGE: partial(encode, plain, batch=512),
        HALF: partial(encode, half),
        HALF + LARGE: partial(encode, half, batch=512),
    }


def main() -> None:
    """Compare, warm up, take turns, report."""
    options = measure.arguments(__doc__, texts=20_000, rounds=5)
    torch.set_num_threads(options.threads)
    device = device_of(DEVICE)
    with tempfile.TemporaryDirectory() as folder:
        path = write_encoder(Path(folder) / "model")
        ours = {dtype: read_encoder(path, dtype=dtype, device=DEVICE) for dtype in ("float32", "bfloat16")}
        works: dict[str, Encode] = peers(path) | {f"wordworth {name}": each.encode for name, each in ours.items()}
        exact = ours["float32"]
        texts, others = (made_up_texts(options.texts, exact, seed) for seed in (0, 1))
        others = others[:1000]
        wanted = works[BASE](others)
        agreements = {name: agreement(encode(others), wanted) for name, encode in works.items()}
        seconds = measure.in_turns({name: partial(encode, texts) for name, encode in works.items()}, options.rounds)
    needed, tokens = operations(exact, texts), [len(ids) for ids in exact.tokenizer.ids(texts)]
    types = {"float32": torch.float32, "bfloat16": torch.bfloat16}
    shares = {n: needed / min(seconds[f"wordworth {n}"]) / matmul_peak(kind, device) for n, kind in types.items()}
    measure.report(
        {
            "device": name_of(device),
            "texts": options.texts,
            "tokens": {"mean": float(np.mean(tokens)), "least": min(tokens), "most": max(tokens)},
            "rounds": options.rounds,
            "threads": options.threads,
            "times_faster": measure.ratios(seconds, BASE),
            "times_faster_than_float32_in_batches_of_512": measure.ratios(seconds, BASE + LARGE),
            "times_faster_than_bfloat16_in_batches_of_512": measure.ratios(seconds, HALF + LARGE),
            "texts_per_second": {name: options.texts / min(times) for name, times in seconds.items()},
            "seconds": seconds,
            "against_sentence_transformers": agreements,
            "share_of_peak": shares,
        },
        options.out,
    )


if __name__ == "__main__":
    run_script(main)
