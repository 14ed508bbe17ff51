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
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Task
from wordworth.training.finetuning.experiment import load_encoder
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
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
        """`count` training examples drawn at random."""
        task = named_task(name)
        rows = np.sort(seeds.child(0, "benchmark", name).permutation(task.train)[:count])
        reader = InputReader(tokenizer=encoder.tokenizer, limit=LIMIT)
        inputs = head_of(task).encode(reader, task.examples.take(rows))
        return cls(task, encoder, inputs, task.gold(rows))

    @property
    def dataset(self) -> list[dict[str, Any]]:
        """The same tokens as the Trainer takes them."""
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
    """Fine-tuning as `wordworth finetune` does it; an epoch of it is timed."""
    steps = -(-len(work.inputs) // BATCH)

    def ready() -> Timed:
        head = head_of(work.task)
        how = FineTuningConfig(steps=steps, batch_size=BATCH, learning_rate=RATE, pooling="pooler", bf16=half)
        run = FineTuningRun(work.encoder.model, head, work.inputs, head.targets(work.labels, work.inputs), how, 0)
        return lambda: run.advance(steps)

    return ready


def theirs(work: Work, out: str, *, grouped: bool) -> Callable[[], Timed]:
    """Fine-tuning by the Trainer; its `train`, an epoch, is timed."""
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
    """A batch padded to its longest, as DataCollatorWithPadding and its likes do."""
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


def a_run_a_core(name: str, count: int, places: int, out: str | None) -> Callable[[], Timed]:
    """As many runs at once as `places`, of the Trainer where `out` is given: processes stand ready at a barrier."""

    def ready() -> Timed:
        spawned = multiprocessing.get_context("spawn")
        barrier = spawned.Barrier(places + 1)
        for place in range(places):
            mine = None if out is None else f"{out}/{place}"
            spawned.Process(target=_alone, args=(name, count, mine, barrier), daemon=True).start()
        barrier.wait()

        def timed() -> None:
            barrier.wait()
            barrier.wait()

        return timed

    return ready


def _alone(name: str, count: int, out: str | None, barrier: Any) -> None:
    """One run on one thread: ready, begun with the others, done."""
    torch.set_num_threads(1)
    work = Work.of(name, count, load_encoder("minilm"))
    run = ours(work, half=True)() if out is None else theirs(work, out, grouped=False)()
    barrier.wait()
    barrier.wait()
    run()
    barrier.wait()


def contenders(work: Work, out: str) -> dict[str, Callable[[], Timed]]:
    """All that have every thread for one run."""
    return {
        "trainer": theirs(work, out, grouped=False),
        "trainer, like lengths": theirs(work, out, grouped=True),
        "wordworth": ours(work, half=True),
        "wordworth, float32": ours(work, half=False),
    }


def measured(work: Work, rounds: int, out: str) -> dict[str, Any]:
    """The speeds of all on a task, and how many times the Trainer's they are."""
    places, asked = torch.get_num_threads(), (work.task.name, len(work.inputs))
    several = {
        "trainer, a run a core": a_run_a_core(*asked, places, f"{out}/several"),
        "wordworth, a run a core": a_run_a_core(*asked, places, None),
    }
    for ready in contenders(Work.of(work.task.name, WARMING, work.encoder), out).values():
        ready()()
    works = contenders(work, out)
    seconds, examples = in_turns(works | several, rounds, prepared=True), len(work.inputs)
    for name in several:
        seconds[name] = [each / places for each in seconds[name]]
    return {
        "tokens": float(np.mean(work.inputs.lengths)),
        "examples_per_second": {one: Spread.of([examples / s for s in some]) for one, some in seconds.items()},
        "times_trainer": ratios(seconds, "trainer"),
        "times_like_lengths": ratios(seconds, "trainer, like lengths"),
    }


def main() -> None:
    """Time every task and report ratios to the Trainer as it comes."""
    given = arguments(__doc__, steps=40, rounds=3)
    torch.set_num_threads(given.threads)
    encoder = load_encoder("minilm")
    with tempfile.TemporaryDirectory() as out:
        found = {name: measured(Work.of(name, given.steps * BATCH, encoder), given.rounds, out) for name in TASKS}
    together = {
        f"{base}: {name}": statistics.geometric_mean(one[base][name].median for one in found.values())
        for base in ("times_trainer", "times_like_lengths")
        for name in ("wordworth", "wordworth, a run a core")
    }
    report({"tasks": found, "geometric_mean": together, "steps": given.steps, "threads": given.threads}, given.out)


if __name__ == "__main__":
    main()
