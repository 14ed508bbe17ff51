"""Training of sentence vectors on a GPU beside sentence-transformers' own trainer: pairs a second, in turns.

    python benchmarks/sentences_gpu.py --steps 40 --rounds 5

Random weights of MiniLM's shape, made-up pairs of texts of 3 to 200 words cut to 128 tokens, in-batch negatives in
batches of 64 and 256; the same pairs go once through. The trainer runs in float32 as it comes and with `bf16=True`;
Wordworth in bfloat16 as `wordworth train-sentences` trains on a GPU, and in float32. The clock starts when models and
data stand ready; tokenizing is on it, on both sides.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from finetune_gpu import waited
from gpu_material import made_up_texts, write_encoder
from measure import Spread, arguments, in_turns, ratios, report
from sentences import Timed, ours, theirs
from wordworth.cli.scripts import run_script
from wordworth.models.devices import device_of, name_of
from wordworth.models.read_encoder import read_encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences, with_positives

DEVICE, BATCHES = "cuda", (64, 256)
FLOAT, HALF = "sentence-transformers, float32", "sentence-transformers, bfloat16"


def made_up_pairs(count: int, encoder: TextEncoder, folder: Path) -> SentenceRows:
    """Return pairs of made-up texts, read from a file as `train-sentences` reads it."""
    texts = made_up_texts(2 * count, encoder)
    folder.mkdir(exist_ok=True)
    path = folder / "pairs.csv"
    path.write_text("\n".join(["text_a,text_b", *map(",".join, zip(texts[::2], texts[1::2], strict=True))]) + "\n")
    return with_positives(read_sentences(path), None)


def timed(ready: Callable[[], Timed]) -> Callable[[], Timed]:
    """Return a contender whose work ends when the GPU has done it."""

    def prepared() -> Timed:
        train = ready()
        return lambda: waited(train())

    return prepared


def speed(folder: Path, batch: int, steps: int, rounds: int, out: str) -> dict[str, Any]:
    """Return pairs a second of each contender at a batch size, and ratios to the trainer.

    Args:
        folder: of the encoder.
        batch: pairs of an update.
        steps: updates.
        rounds: how often each contender trains.
        out: folder for what the trainers write.
    """
    encoder = read_encoder(folder, device=DEVICE)

    def contenders(count: int) -> dict[str, Callable[[], Timed]]:
        rows = made_up_pairs(count, encoder, Path(out))
        return {
            FLOAT: timed(theirs(rows, out, folder, batch, device=DEVICE)),
            HALF: timed(theirs(rows, out, folder, batch, device=DEVICE, half=True)),
            "wordworth, bfloat16": timed(lambda: ours(encoder, rows, batch, half=True)),
            "wordworth, float32": timed(lambda: ours(encoder, rows, batch, half=False)),
        }

    for ready in contenders(2 * batch).values():
        ready()()
    seconds = in_turns(contenders(steps * batch), rounds, prepared=True)
    return {
        "pairs_per_second": {name: Spread.of([steps * batch / each for each in own]) for name, own in seconds.items()},
        "times_float32": ratios(seconds, FLOAT),
        "times_bfloat16": ratios(seconds, HALF),
    }


def main() -> None:
    """Time both batch sizes and report."""
    options = arguments(__doc__, steps=40, rounds=5)
    with tempfile.TemporaryDirectory() as out:
        folder = write_encoder(Path(out) / "encoder")
        figures = {
            f"batch {batch}": speed(folder, batch, options.steps, options.rounds, f"{out}/{batch}") for batch in BATCHES
        }
    gpu = {"device": name_of(device_of(DEVICE)), "torch": torch.__version__}
    report({**figures, **gpu}, options.out)


if __name__ == "__main__":
    run_script(main)
