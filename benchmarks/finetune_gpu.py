"""Fine-tuning speed on a GPU beside transformers' own Trainer: examples a second, the same examples, in turns.

    python benchmarks/finetune_gpu.py --steps 60 --rounds 5

Random weights of MiniLM's shape under BERT's classification head, made-up texts of 3 to 200 words cut to 128 tokens,
batch 16, dropout 0.1, clipping at 1 and AdamW; the same 16 x steps examples go once through. The Trainer runs in
float32 as it comes and with `bf16=True`, each in random order; Wordworth in bfloat16 as `wordworth finetune` trains on
a GPU, and in float32. The clock starts when texts are tokens and the networks stand ready.

`four at once` is four runs of ours in one process each on the one GPU, as `wordworth finetune --processes 4` makes
them; the examples of all four count.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments
from transformers.trainer_utils import set_seed

from finetune_throughput import BATCH, LIMIT, RATE, Timed, Work, ours, padded
from gpu_material import made_up_texts, write_encoder
from measure import Spread, arguments, in_turns, ratios, report
from wordworth.cli.scripts import run_script
from wordworth.models.devices import device_of, name_of
from wordworth.models.read_encoder import read_encoder
from wordworth.tasks.task import Examples, Task
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader

DEVICE, TOGETHER = "cuda", 4
FLOAT, HALF = "trainer float32", "trainer bfloat16"


def work_of(folder: Path, count: int) -> Work:
    """Make `count` training examples of two classes."""
    encoder = read_encoder(folder, device=DEVICE)
    texts, rows = tuple(made_up_texts(count, encoder)), np.arange(count)
    task = Task("made up", CLASSIFICATION.name, Examples(texts), rows % 2, ("no", "yes"), rows, rows[:0], "accuracy")
    inputs = head_of(task).encode(InputReader(tokenizer=encoder.tokenizer, limit=LIMIT), task.examples)
    return Work(task, encoder, inputs, task.gold(rows))


def trainer(work: Work, folder: Path, out: str, *, half: bool) -> Callable[[], Timed]:
    """Return an epoch of the Trainer: its `train`.

    Args:
        work: the examples.
        folder: of the encoder.
        out: folder that the Trainer wants.
        half: whether it trains in bfloat16.
    """
    data = work.dataset

    def ready() -> Timed:
        set_seed(0)
        model = AutoModelForSequenceClassification.from_pretrained(str(folder), num_labels=2)
        settings = TrainingArguments(
            output_dir=out, num_train_epochs=1, per_device_train_batch_size=BATCH, learning_rate=RATE, bf16=half,
            use_cpu=DEVICE == "cpu", report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
        )  # fmt: skip
        train = Trainer(model=model, args=settings, train_dataset=data, data_collator=padded).train
        return lambda: waited(train())

    return ready


def waited(result: object) -> object:
    """Wait until the GPU has finished, so that all of its work is timed; return `result`."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return result


def alone(work: Work, *, half: bool) -> Callable[[], Timed]:
    """Return a function that fine-tunes for one epoch with Wordworth."""
    prepare = ours(work, half=half)

    def ready() -> Timed:
        train = prepare()
        return lambda: waited(train())

    return ready


class Together:
    """Processes that each hold an encoder and do one epoch whenever the barrier opens."""

    def __init__(self, folder: Path, count: int) -> None:
        spawned = multiprocessing.get_context("spawn")
        self.barrier = spawned.Barrier(TOGETHER + 1)
        for _ in range(TOGETHER):
            spawned.Process(target=_again_and_again, args=(folder, count, self.barrier), daemon=True).start()

    def ready(self) -> Timed:
        """Wait until all have a run prepared; return what starts them and waits for their end."""
        self.barrier.wait()

        def timed() -> None:
            self.barrier.wait()
            self.barrier.wait()

        return timed


def _again_and_again(folder: Path, count: int, barrier: Any) -> None:
    torch.set_num_threads(1)
    prepare = alone(work_of(folder, count), half=True)
    while True:
        run = prepare()
        barrier.wait()
        barrier.wait()
        run()
        barrier.wait()


def main() -> None:
    """Warm up, take turns, report ratios to the Trainer's."""
    options = arguments(__doc__, steps=60, rounds=5)
    torch.set_num_threads(options.threads)
    examples = options.steps * BATCH
    with tempfile.TemporaryDirectory() as temporary:
        folder = write_encoder(Path(temporary) / "model")
        work, together = work_of(folder, examples), Together(folder, examples)
        works: dict[str, Callable[[], Timed]] = {
            FLOAT: trainer(work, folder, temporary, half=False),
            HALF: trainer(work, folder, temporary, half=True),
            "wordworth bfloat16": alone(work, half=True),
            "wordworth float32": alone(work, half=False),
            "wordworth bfloat16, four at once": together.ready,
        }
        for ready in works.values():
            ready()()
        seconds = in_turns(works, options.rounds, prepared=True)
    seconds["wordworth bfloat16, four at once"] = [
        each / TOGETHER for each in seconds["wordworth bfloat16, four at once"]
    ]
    report(
        {
            "device": name_of(device_of(DEVICE)),
            "tokens": float(np.mean(work.inputs.lengths)),
            "steps": options.steps,
            "rounds": options.rounds,
            "threads": options.threads,
            "examples_per_second": {n: Spread.of([examples / s for s in times]) for n, times in seconds.items()},
            "times_trainer_float32": ratios(seconds, FLOAT),
            "times_trainer_bfloat16": ratios(seconds, HALF),
            "seconds": seconds,
        },
        options.out,
    )


if __name__ == "__main__":
    run_script(main)
