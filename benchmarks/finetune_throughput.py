"""Fine-tuning speed beside transformers' own Trainer: examples a second, the same examples once through, in turns.

    python benchmarks/finetune_throughput.py --steps 60 --rounds 5 --threads 2 --out figures.json

For each task the same 16 x steps training examples go once through: by the Trainer in float32 as it comes (batches in
random order, padded to the longest of the batch), by the Trainer with batches of like length (`group_by_length`), by
Wordworth in bfloat16 as `wordworth finetune` trains it, and by Wordworth in float32. All have MiniLM under BERT's
classification (or token) head, batch 16, dropout 0.1 as trained, clipping at 1 and AdamW. The clock starts when texts
are tokens and the networks stand ready: of the Trainer its `train` alone is timed, of ours the same updates.

One run has all threads. `a run a core` is how `wordworth finetune` makes restarts and grids by itself: as many runs at
once as there are threads, each in a process with one; the Trainer so, which nobody does for its user, stands beside.
Needs the data sets ($WORDWORTH_DATA) and the extra `peers`.
"""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    Trainer,
    TrainingArguments,
)
from transformers.trainer_utils import set_seed

from measure import Spread, arguments, in_turns, ratios, report
from wordworth import seeds
from wordworth.cli.scripts import run_script
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.token_classification import TaggedInputs

TASKS = ("cola", "sst2", "mrpc", "rte", "stsb", "conll2003")
BATCH, LIMIT, RATE = 16, 128, 5e-5
WARMING = 4 * BATCH
_IGNORED = -100
Timed = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Work:
    """A task's examples as tokens, and their labels."""

    task: Task
    encoder: TextEncoder
    inputs: TokenizedExamples
    labels: Any

    @classmethod
    def of(cls, name: str, count: int, encoder: TextEncoder) -> Work:
        """Draw `count` training examples at random."""
        task = named_task(name)
        rows = np.sort(seeds.child(0, "benchmark", name).permutation(task.train)[:count])
        reader = InputReader(tokenizer=encoder.tokenizer, limit=LIMIT)
        inputs = head_of(task).encode(reader, task.examples.take(rows))
        return cls(task, encoder, inputs, task.gold(rows))

    @property
    def dataset(self) -> list[dict[str, Any]]:
        """The same tokens in the form that the Trainer takes."""
        return [
            {
                "input_ids": tokens.ids.tolist(),
                "token_type_ids": tokens.segments.tolist(),
                "attention_mask": [1] * len(tokens),
                "labels": self._label(row),
            }
            for row, tokens in enumerate(self.inputs.tokens)
        ]

    def _label(self, row: int) -> Any:
        if not isinstance(self.inputs, TaggedInputs):
            return float(self.labels[row]) if self.task.type.numeric else int(self.labels[row])
        tags = np.full(len(self.inputs.tokens[row]), _IGNORED)
        firsts = self.inputs.firsts[row]
        tags[firsts[firsts >= 0]] = self.labels[row][firsts >= 0]
        return tags.tolist()


def ours(work: Work, *, half: bool) -> Callable[[], Timed]:
    """Return an epoch of fine-tuning as `wordworth finetune` does it."""
    steps = -(-len(work.inputs) // BATCH)

    def ready() -> Timed:
        head = head_of(work.task)
        config = FineTuningConfig(steps=steps, batch_size=BATCH, learning_rate=RATE, pooling="pooler", bf16=half)
        run = FineTuningRun(work.encoder.model, head, work.inputs, head.targets(work.labels, work.inputs), config, 0)

        def train() -> None:
            with retain_freed_memory():
                run.loop.train(steps)

        return train

    return ready


def theirs(work: Work, out: str, *, grouped: bool) -> Callable[[], Timed]:
    """Return an epoch of the Trainer: its `train`."""
    folder, data = str(resolve("minilm").folder), work.dataset
    kinds = {"tagging": AutoModelForTokenClassification}
    of = kinds.get(work.task.kind, AutoModelForSequenceClassification)

    def ready() -> Timed:
        set_seed(0)
        model = of.from_pretrained(folder, num_labels=max(1, len(work.task.classes)))
        settings = TrainingArguments(
            output_dir=out, num_train_epochs=1, per_device_train_batch_size=BATCH, learning_rate=RATE,
            use_cpu=True, report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
            train_sampling_strategy="group_by_length" if grouped else "random",
        )  # fmt: skip
        train: Timed = Trainer(model=model, args=settings, train_dataset=data, data_collator=padded).train
        return train

    return ready


def padded(rows: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """Pad a batch to its longest input, as DataCollatorWithPadding and its likes do."""
    longest = max(len(row["input_ids"]) for row in rows)
    fill = {"input_ids": 0, "token_type_ids": 0, "attention_mask": 0, "labels": _IGNORED}
    return {
        name: torch.tensor(
            [
                row[name] + [fill[name]] * (longest - len(row[name])) if isinstance(row[name], list) else row[name]
                for row in rows
            ]
        )
        for name in rows[0]
    }


def a_run_a_core(name: str, count: int, processes: int, out: str | None) -> Callable[[], Timed]:
    """Return runs that begin at once, each in a process of its own that waits at a barrier.

    Args:
        name: the task.
        count: training examples of a run.
        processes: number of runs.
        out: folder of the Trainer's runs; ours where None.
    """

    def ready() -> Timed:
        spawned = multiprocessing.get_context("spawn")
        barrier = spawned.Barrier(processes + 1)
        for number in range(processes):
            folder = None if out is None else f"{out}/{number}"
            spawned.Process(target=_alone, args=(name, count, folder, barrier), daemon=True).start()
        barrier.wait()

        def timed() -> None:
            barrier.wait()
            barrier.wait()

        return timed

    return ready


def _alone(name: str, count: int, out: str | None, barrier: Any) -> None:
    """Prepare one run on one thread, begin it with the others, and wait for their end."""
    torch.set_num_threads(1)
    work = Work.of(name, count, load_encoder("minilm"))
    run = ours(work, half=True)() if out is None else theirs(work, out, grouped=False)()
    barrier.wait()
    barrier.wait()
    run()
    barrier.wait()


def contenders(work: Work, out: str) -> dict[str, Callable[[], Timed]]:
    """Return the contenders that have every thread for one run."""
    return {
        "trainer": theirs(work, out, grouped=False),
        "trainer, like lengths": theirs(work, out, grouped=True),
        "wordworth": ours(work, half=True),
        "wordworth, float32": ours(work, half=False),
    }


def measured(work: Work, rounds: int, out: str) -> dict[str, Any]:
    """Return the speed of every contender on a task, and the ratios to the Trainer's."""
    processes, sample = torch.get_num_threads(), (work.task.name, len(work.inputs))
    several = {
        "trainer, a run a core": a_run_a_core(*sample, processes, f"{out}/several"),
        "wordworth, a run a core": a_run_a_core(*sample, processes, None),
    }
    for ready in contenders(Work.of(work.task.name, WARMING, work.encoder), out).values():
        ready()()
    works = contenders(work, out)
    seconds, examples = in_turns(works | several, rounds, prepared=True), len(work.inputs)
    for name in several:
        seconds[name] = [each / processes for each in seconds[name]]
    return {
        "tokens": float(np.mean(work.inputs.lengths)),
        "examples_per_second": {
            contender: Spread.of([examples / s for s in times]) for contender, times in seconds.items()
        },
        "times_trainer": ratios(seconds, "trainer"),
        "times_like_lengths": ratios(seconds, "trainer, like lengths"),
    }


def main() -> None:
    """Time every task and report ratios to the Trainer as it comes."""
    options = arguments(__doc__, steps=40, rounds=3)
    torch.set_num_threads(options.threads)
    encoder = load_encoder("minilm")
    with tempfile.TemporaryDirectory() as out:
        tasks = {name: measured(Work.of(name, options.steps * BATCH, encoder), options.rounds, out) for name in TASKS}
    together = {
        f"{base}: {name}": statistics.geometric_mean(task[base][name].median for task in tasks.values())
        for base in ("times_trainer", "times_like_lengths")
        for name in ("wordworth", "wordworth, a run a core")
    }
    report(
        {"tasks": tasks, "geometric_mean": together, "steps": options.steps, "threads": options.threads}, options.out
    )


if __name__ == "__main__":
    run_script(main)
