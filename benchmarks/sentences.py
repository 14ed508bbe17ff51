"""Training of sentence vectors: the speed of a step beside sentence-transformers, and memory of large batches.

    python benchmarks/sentences.py --steps 20 --rounds 5 --threads 2 --out figures.json

Speed: the same pairs of NLI go once through, batch 64 of in-batch negatives over `mini`: by sentence-transformers' own
trainer in float32 as it comes and in bfloat16, by Wordworth in bfloat16 as `wordworth train-sentences` trains, and in
float32. The clock starts when models and data stand ready: of the trainer its `train` alone is timed (it tokenizes
there), of ours the tokenizing and the same updates. Memory: the peak of a process that makes two updates of 1,024 rows,
in parts and in one part. Needs the data sets ($WORDWORTH_DATA) and the extra `peers`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from measure import Spread, arguments, compared, in_processes, in_turns, ratios, report, report_way
from wordworth.cli.scripts import run_script
from wordworth.errors import BadInput
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences, with_positives
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.sentences.losses.base import LossOptions
from wordworth.training.sentences.losses.ranking import RankingLoss
from wordworth.training.sentences.tokenized_rows import SentenceExamples
from wordworth.training.sentences.trainer import PART_TOKENS, SentenceTraining, SentenceTrainingConfig

BATCH, LARGE, LIMIT, RATE = 64, 1_024, 128, 1.5e-4
Timed = Callable[[], object]


def pairs(count: int) -> SentenceRows:
    """Return the first pairs of NLI that are alike."""
    path = shared_file(Path("snli/train.csv"))
    if path is None:
        raise BadInput("the rows of SNLI are not there", mend="set WORDWORTH_DATA to the folder that has snli/")
    return with_positives(read_sentences(path), None).take(range(count))


def ours(encoder: TextEncoder, rows: SentenceRows, batch: int, *, half: bool, part: int = PART_TOKENS) -> Timed:
    """Return one epoch as `wordworth train-sentences` makes it.

    Args:
        encoder: the encoder.
        rows: pairs to learn from.
        batch: rows of an update.
        half: whether it computes in bfloat16.
        part: most tokens whose states are in memory at a time.
    """
    loss, steps = RankingLoss(LossOptions(encoder.width)), -(-len(rows) // batch)
    config = SentenceTrainingConfig(steps=steps, batch_size=batch, learning_rate=RATE, bf16=half, part_tokens=part)

    def timed() -> None:
        examples = SentenceExamples.of(rows, encoder, LIMIT, None)
        run = SentenceTraining(encoder, encoder.head, examples, loss, config, 0)
        with retain_freed_memory():
            run.loop.train(steps)

    return timed


def theirs(
    rows: SentenceRows, out: str, folder: Path, batch: int = BATCH, *, device: str = "cpu", half: bool = False
) -> Callable[[], Timed]:
    """Return one epoch of sentence-transformers' trainer: its `train`.

    Args:
        rows: pairs to learn from.
        out: folder that the trainer wants.
        folder: of the encoder.
        batch: rows of an update.
        device: where it trains.
        half: whether it computes in bfloat16.
    """
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, losses
    from sentence_transformers.training_args import SentenceTransformerTrainingArguments

    data = Dataset.from_dict({"anchor": list(rows.first), "positive": list(rows.second)})

    def ready() -> Timed:
        model = SentenceTransformer(str(folder), device=device)
        model.max_seq_length = LIMIT
        settings = SentenceTransformerTrainingArguments(
            output_dir=out, num_train_epochs=1, per_device_train_batch_size=batch, learning_rate=RATE, bf16=half,
            use_cpu=device == "cpu", report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
        )  # fmt: skip
        loss = losses.MultipleNegativesRankingLoss(model)
        trained: Timed = SentenceTransformerTrainer(model=model, args=settings, train_dataset=data, loss=loss).train
        return trained

    return ready


def speed(steps: int, rounds: int, out: str) -> dict[str, Any]:
    """Return pairs a second of each contender, and how many times faster than the trainer they are."""
    encoder = load_encoder("mini")

    def contenders(rows: SentenceRows) -> dict[str, Callable[[], Timed]]:
        return {
            "sentence-transformers": theirs(rows, out, resolve("mini").folder),
            "sentence-transformers, bfloat16": theirs(rows, out, resolve("mini").folder, half=True),
            "wordworth": lambda: ours(encoder, rows, BATCH, half=True),
            "wordworth, float32": lambda: ours(encoder, rows, BATCH, half=False),
        }

    for ready in contenders(pairs(2 * BATCH)).values():
        ready()()
    rows = pairs(steps * BATCH)
    seconds = in_turns(contenders(rows), rounds, prepared=True)
    return {
        "pairs_per_second": {name: Spread.of([len(rows) / each for each in own]) for name, own in seconds.items()},
        "times_sentence_transformers": ratios(seconds, "sentence-transformers"),
        "times_sentence_transformers_bfloat16": ratios(seconds, "sentence-transformers, bfloat16"),
    }


def large_batch(way: str) -> float:
    """Make two updates of a large batch; return the last loss."""
    part = PART_TOKENS if way == "in parts" else 1 << 30
    encoder, rows = load_encoder("mini"), pairs(2 * LARGE)
    ours(encoder, rows, LARGE, half=False, part=part)()
    return 0.0


def main() -> None:
    """Measure speed and memory; or in a process of its own one way of memory."""
    if "--way" in sys.argv:
        parser = argparse.ArgumentParser()
        parser.add_argument("--way")
        options, _ = parser.parse_known_args()
        report_way(lambda: large_batch(options.way))
        return
    options = arguments(__doc__, steps=20, rounds=5)
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as out:
        results = speed(options.steps, options.rounds, out)
    ways: Sequence[str] = ("in one part", "in parts")
    memory = compared(in_processes(Path(__file__), ways, [options.threads], 3), "in one part")
    report({**results, "batch_1024": memory, "threads": options.threads}, options.out)


if __name__ == "__main__":
    run_script(main)
