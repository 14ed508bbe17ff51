"""Texts per second of `encode` against sentence-transformers and onnxruntime, taking turns in one process.

    python benchmarks/throughput.py --texts 3000 --rounds 5
    python benchmarks/throughput.py --texts 320 --rounds 5 --backends /tmp/backends/bin/python

With `--backends` sentence-transformers under OpenVINO and in int8 under ONNX take part, each in a process of its own
(`sentence_transformers_backends.py` says how their environment is made).

Vectors are compared before anything is timed. The share of the machine's peak is that of the linear maps' and
attention's products in the time of the whole call, against the best of a plain square product in the same type.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

import measure
from minilm import minilm
from mixed_texts import mixed_texts
from wordworth.cli.scripts import run_script
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.families.bert import BertConfig
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve

BASE = "sentence-transformers float32"
Encode = Callable[[list[str]], np.ndarray]


def peers(folder: Path) -> dict[str, Encode]:
    """Return the encoders of other libraries for the same checkpoint."""
    from onnx_peer import onnx_encode  # `encode_gpu` shares what is below, and wants no onnxruntime

    plain = SentenceTransformer(str(folder), device="cpu")
    half = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": torch.bfloat16})
    return {
        BASE: lambda texts: plain.encode(texts, show_progress_bar=False),
        "sentence-transformers bfloat16": lambda texts: (
            half.encode(texts, show_progress_bar=False, convert_to_tensor=True).float().numpy()
        ),
        "onnxruntime float32": onnx_encode(folder, Path(tempfile.mkdtemp()), torch.get_num_threads()),
    }


def backends(python: Path, texts: list[str], threads: int) -> dict[str, Encode]:
    """Return sentence-transformers' other backends, which run in another environment.

    Args:
        python: the Python of that environment.
        texts: texts to calibrate int8 with.
        threads: number of threads.
    """
    from sentence_transformers_backends import BACKENDS, backend_encode

    folder, work = resolve("minilm").folder, (Path(tempfile.mkdtemp()) for _ in BACKENDS)
    return {
        f"sentence-transformers {name}": backend_encode(str(python), folder, name, threads, texts, empty)
        for name, empty in zip(BACKENDS, work, strict=True)
    }


def agreement(computed: np.ndarray, exact: np.ndarray) -> dict[str, float]:
    """Return the largest difference of any number, and the mean and least cosine."""
    cosines = (computed * exact).sum(1) / np.linalg.norm(computed, axis=1) / np.linalg.norm(exact, axis=1)
    return {
        "max_difference": float(abs(computed - exact).max()),
        "mean": float(cosines.mean()),
        "least": float(cosines.min()),
    }


def peak(dtype: torch.dtype, threads: int) -> float:
    """Return multiplications and additions a second: the best of ten square products of 2048, times the threads."""
    torch.set_num_threads(1)
    a, b = torch.randn(2048, 2048).to(dtype), torch.randn(2048, 2048).to(dtype)
    times = []
    for _ in range(10):
        began = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - began)
    torch.set_num_threads(threads)
    return threads * 2 * 2048**3 / min(times)


def operations(encoder: TextEncoder, texts: list[str]) -> float:
    """Return the multiplications and additions that the texts need, without padding."""
    config = encoder.model.config
    assert isinstance(config, BertConfig)
    width, inner = config.hidden_size, config.intermediate_size
    lengths = np.array([len(ids) for ids in encoder.tokenizer.ids(texts)], float)
    maps = 2 * lengths * (4 * width * width + 2 * width * inner)
    return float((config.num_layers * (maps + 4 * lengths**2 * width)).sum())


def main() -> None:
    """Compare, warm up on other texts, take turns, report."""
    options = measure.arguments(__doc__, ("backends",), texts=3000, rounds=5)
    torch.set_num_threads(options.threads)
    encoders = {dtype: minilm(dtype) for dtype in get_args(Dtype)}
    exact = encoders["float32"]
    texts, others = (mixed_texts(options.texts, exact.tokenizer, seed) for seed in (0, 1))
    works = {**peers(resolve("minilm").folder), **{f"wordworth {name}": each.encode for name, each in encoders.items()}}
    if options.backends is not None:
        works |= backends(options.backends, mixed_texts(1_000, exact.tokenizer, 2), options.threads)
    wanted = works[BASE](others)
    agreements = {name: agreement(encode(others), wanted) for name, encode in works.items()}
    seconds = measure.in_turns({name: partial(encode, texts) for name, encode in works.items()}, options.rounds)
    best = {name: options.texts / min(times) for name, times in seconds.items()}
    needed, types = operations(exact, texts), {"float32": torch.float32, "bfloat16": torch.bfloat16}
    shares = {n: needed / min(seconds[f"wordworth {n}"]) / peak(kind, options.threads) for n, kind in types.items()}
    tokens = [len(ids) for ids in exact.tokenizer.ids(texts)]
    measure.report(
        {
            "texts": options.texts,
            "tokens": {"mean": float(np.mean(tokens)), "least": min(tokens), "most": max(tokens)},
            "rounds": options.rounds,
            "threads": options.threads,
            "kernels": {name: each.kernel for name, each in encoders.items()},
            "times_faster": measure.ratios(seconds, BASE),
            "texts_per_second": best,
            "seconds": seconds,
            "against_sentence_transformers": agreements,
            "share_of_peak": shares,
        },
        options.out,
    )


if __name__ == "__main__":
    run_script(main)
