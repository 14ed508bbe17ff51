"""How much of the speed of bfloat16 and int8 is the number type, and how much the kernels they run on.

    WORDWORTH_DATA=data python benchmarks/dtypes_and_kernels.py --texts 256 --rounds 7

MiniLM's encoder reads the same sentences, tokenized before the clock runs, in batches of 32 and one by one: by torch's
own layers in float32 and bfloat16, and by the prepacked oneDNN maps of `models/cpu_inference` in float32, bfloat16 and
int8, all by turns in one process. Seconds are the processor's, one thread.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Sequence
from functools import partial

import torch

import measure
from minilm import minilm
from mixed_texts import sentences
from wordworth.cli.scripts import run_script, writable_path
from wordworth.models.batch import Batch, pack
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader, accelerate

_BATCH = 32
_PLAIN, _PACKED = "torch's layers, {}", "packed maps, {}"
_PAIRS = [
    (_PACKED.format("float32"), _PLAIN.format("float32")),
    (_PACKED.format("bfloat16"), _PLAIN.format("bfloat16")),
    (_PLAIN.format("bfloat16"), _PLAIN.format("float32")),
    (_PACKED.format("bfloat16"), _PACKED.format("float32")),
    (_PACKED.format("int8"), _PACKED.format("float32")),
    (_PACKED.format("int8"), _PACKED.format("bfloat16")),
]


def main() -> None:
    """Time each way in batches of 32 and one by one, and report milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    encoder = minilm("float32")
    pool = sorted(set(sentences()))
    texts = pool[:: max(1, len(pool) // options.texts)][: options.texts]
    tokens = sorted(encoder.tokenizer.encode(texts), key=len)  # texts of like length together, as `encode` has them
    readers: dict[str, StateReader] = {_PLAIN.format("float32"): encoder.model}
    readers[_PLAIN.format("bfloat16")] = copy.deepcopy(encoder.model).to(torch.bfloat16)
    dtypes: tuple[Dtype, ...] = ("float32", "bfloat16", "int8")
    kernels = {}
    for dtype in dtypes:
        readers[_PACKED.format(dtype)], kernels[dtype] = accelerate(encoder.model, dtype, encoder.tokenizer.encode)
    figures = {"texts": len(texts), "mean tokens": sum(map(len, tokens)) / len(tokens), "kernels": kernels}
    for size, name in ((_BATCH, "in batches of 32"), (1, "one by one")):
        batches = [pack(tokens[start : start + size]) for start in range(0, len(tokens), size)]
        works = {way: partial(_read, reader, batches) for way, reader in readers.items()}
        for work in works.values():
            work()
        seconds = measure.in_turns(works, options.rounds, clock=time.process_time)
        ms = {way: measure.Spread.of([1_000 * each / len(texts) for each in of]) for way, of in seconds.items()}
        faster = {f"{way} beside {base}": measure.ratios(seconds, base)[way] for way, base in _PAIRS}
        figures |= {f"ms a text, {name}": ms, f"times as fast, {name}": faster}
    measure.report(figures, options.out)


def _read(reader: StateReader, batches: Sequence[Batch]) -> None:
    with torch.inference_mode():
        for batch in batches:
            reader(batch)


if __name__ == "__main__":
    run_script(main)
