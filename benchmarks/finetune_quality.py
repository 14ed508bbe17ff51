"""Fine-tuning quality beside transformers' own Trainer: five seeds each, the same examples, settings and steps.

    python benchmarks/finetune_quality.py --out figures.json                 # hours; goes on where it stopped
    python benchmarks/finetune_quality.py --tasks rte --seeds 2 --limit 200  # a smoke test
    python benchmarks/finetune_quality.py --device cuda --processes 12 --learn-at-most 16000  # one GPU bears many runs

Both fine-tune MiniLM under BERT's classification (or token) head for the same epochs at the same rate, batch 16,
warm-up over 10 % of the updates and linear decay, dropout 0.1, clipping at 1, AdamW with decay 0.01; the last weights
answer the official dev part (of CoNLL-2003 its testa). Ours computes as `wordworth finetune` does on that device, in
bfloat16 where it has the instructions; the Trainer in float32 as it comes. Both take the examples in random order.

Every finished run is kept in `<out>.runs/`, so that the same command makes only what is missing. What counts is the
difference of means with its interval over seeds (Welch). Needs the data sets ($WORDWORTH_DATA) and the extra `peers`.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import stats
from transformers import (
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    Trainer,
    TrainingArguments,
)

from finetune_throughput import LIMIT, Work, padded
from measure import report
from wordworth import seeds
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.models.devices import device_of, name_of
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.token_classification import TaggedInputs

TASKS = ("conll2003", "sst2", "cola", "stsb", "mrpc", "rte")
"""Names of the tasks, the longest first, so that several processes end together."""
EPOCHS = {"cola": 4, "sst2": 2, "rte": 8, "stsb": 5, "mrpc": 6, "conll2003": 3}
BATCH, RATE = 16, 1e-4


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that all runs share."""

    folder: Path
    model: str
    device: str
    limit: int | None
    learn_at_most: int | None
    threads: int


@dataclass(frozen=True, slots=True)
class Job:
    """A run of one system on one task with one seed."""

    name: str
    system: str
    seed: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A task's training part and the part it is measured on, as both systems read them."""

    task: Task
    model: str
    device: str
    epochs: int
    encoder: TextEncoder
    learned: Work
    held_out: Work

    @classmethod
    def of(cls, name: str, setting: Setting) -> Pair:
        """Read a named task; with a limit, at most that many examples of either part."""
        task, encoder = named_task(name, held_out="dev"), load_encoder(setting.model)
        encoder.model.to(device_of(setting.device))
        rows = seeds.child(0, "quality", name).permutation(task.train)[: setting.limit][: setting.learn_at_most]
        both = (np.sort(rows), task.test[: setting.limit])
        parts = (_work(task, encoder, part) for part in both)
        return cls(task, setting.model, setting.device, EPOCHS[name], encoder, *parts)

    @property
    def steps(self) -> int:
        """Number of updates of a run."""
        return self.epochs * -(-len(self.learned.inputs) // BATCH)

    def score(self, predictions: Any) -> float:
        """Return the task's metric on the held-out part."""
        return float(metric(self.task.metric, self.task.classes).score(self.held_out.labels, predictions))


def _work(task: Task, encoder: TextEncoder, rows: Any) -> Work:
    reader = InputReader(tokenizer=encoder.tokenizer, limit=LIMIT, cut="end")
    return Work(task, encoder, head_of(task).encode(reader, task.examples).take(rows), task.gold(rows))


def wordworth(pair: Pair, seed: int) -> tuple[float, float]:
    """Return score and seconds of one run of ours."""
    head, inputs, steps = head_of(pair.task), pair.learned.inputs, pair.steps
    config = FineTuningConfig(
        steps=steps, batch_size=BATCH, learning_rate=RATE, pooling="pooler", init_output_bias=False
    )
    began = time.perf_counter()
    run = FineTuningRun(pair.encoder.model, head, inputs, head.targets(pair.learned.labels, inputs), config, seed)
    with retain_freed_memory():
        run.loop.train(steps)
    seconds = time.perf_counter() - began
    return pair.score(run.tuned.predict(pair.held_out.inputs)), seconds


def trainer(pair: Pair, seed: int) -> tuple[float, float]:
    """Return score and seconds of one run of the Trainer, in float32 as it comes."""
    of = AutoModelForTokenClassification if pair.task.type.labels_words else AutoModelForSequenceClassification
    torch.manual_seed(seed)
    model = of.from_pretrained(str(resolve(pair.model).folder), num_labels=max(1, len(pair.task.classes)))
    with tempfile.TemporaryDirectory() as out:
        settings = TrainingArguments(
            output_dir=out, num_train_epochs=pair.epochs, per_device_train_batch_size=BATCH, learning_rate=RATE,
            per_device_eval_batch_size=64, warmup_steps=math.ceil(pair.steps / 10), weight_decay=0.01,
            adam_epsilon=1e-6, seed=seed, use_cpu=device_of(pair.device).type == "cpu",
            report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
        )  # fmt: skip
        work = Trainer(model=model, args=settings, train_dataset=pair.learned.dataset, data_collator=padded)
        began = time.perf_counter()
        work.train()
        seconds = time.perf_counter() - began
        logits = work.predict(pair.held_out.dataset).predictions
    return pair.score(_predictions(pair, np.asarray(logits))), seconds


SYSTEMS = {"wordworth": wordworth, "trainer": trainer}


def _predictions(pair: Pair, logits: np.ndarray) -> Any:
    if pair.task.type.numeric:
        return logits.reshape(len(logits), -1)[:, 0].astype(np.float64)
    inputs = pair.held_out.inputs
    if not isinstance(inputs, TaggedInputs):
        return logits.astype(np.float64)
    head, gold = head_of(pair.task), head_of(pair.task).targets(pair.learned.labels, pair.learned.inputs)
    scores = [row[: len(tokens)] for row, tokens in zip(logits, inputs.tokens, strict=True)]
    return head.predict(scores, gold, inputs)


@cache
def pair_of(name: str, setting: Setting) -> Pair:
    """Read a task, once in a process."""
    return Pair.of(name, setting)


def result(job: Job, setting: Setting) -> dict[str, Any]:
    """Return one run's score and seconds, from its file if it was made before."""
    torch.set_num_threads(setting.threads)
    parts = [str(number) for number in (setting.limit, setting.learn_at_most) if number is not None]
    path = setting.folder / f"{'-'.join([job.name, *parts, job.system, str(job.seed)])}.json"
    if not path.is_file():
        pair = pair_of(job.name, setting)
        score, seconds = SYSTEMS[job.system](pair, job.seed)
        counts = {"learned": len(pair.learned.inputs), "held": len(pair.held_out.inputs)}
        figures = {"score": score, "seconds": seconds, "metric": pair.task.metric, **counts}
        write_text(path, json.dumps(figures))
        print(f"{path.stem}: {100 * score:.1f} in {seconds:.0f} s", flush=True)
    read: dict[str, Any] = read_checked(path)
    return read


def results_of(jobs: list[Job], setting: Setting, processes: int) -> dict[Job, dict[str, Any]]:
    """Return the figures of every run, from its file or made now; the longest begin first."""
    if processes == 1:
        return {job: result(job, setting) for job in jobs}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = {job: pool.submit(result, job, setting) for job in jobs}
        return {job: future.result() for job, future in futures.items()}


def compared(ours: list[float], theirs: list[float]) -> dict[str, Any]:
    """Return the difference of the means, with the 95 % interval of ours less theirs (Welch 1947)."""
    figures: dict[str, Any] = {"difference": float(np.mean(ours) - np.mean(theirs))}
    if len(ours) > 1:
        span = stats.ttest_ind(ours, theirs, equal_var=False).confidence_interval(0.95)
        figures |= {"low": float(span.low), "high": float(span.high), "not_below": bool(span.high >= 0)}
    return figures


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="at most so many examples of each part")
    parser.add_argument("--learn-at-most", type=int, help="at most so many examples to learn from; all to measure on")
    parser.add_argument("--model", default="minilm", help="a name or a folder")
    parser.add_argument("--device", default="cpu", help="cpu or cuda, for both systems")
    parser.add_argument("--processes", type=int, default=1, help="runs at the same time; seconds then say little")
    parser.add_argument("--threads", type=int, default=2, help="of each run")
    parser.add_argument("--out", type=writable_path, default=Path("finetune_quality.json"))
    return parser.parse_args()


def main() -> None:
    """Make what is missing and compare."""
    options = arguments()
    folder = options.out.with_name(f"{options.out.name}.runs")
    setting = Setting(folder, options.model, options.device, options.limit, options.learn_at_most, options.threads)
    jobs = [Job(name, system, seed) for name in options.tasks for seed in range(options.seeds) for system in SYSTEMS]
    runs, figures = results_of(jobs, setting, options.processes), {}
    for name in options.tasks:
        of_task = {system: [runs[Job(name, system, seed)] for seed in range(options.seeds)] for system in SYSTEMS}
        scores = {system: [run["score"] for run in group] for system, group in of_task.items()}
        about = {key: of_task["wordworth"][0][key] for key in ("metric", "learned", "held")}
        spent = {system: float(np.mean([run["seconds"] for run in group])) for system, group in of_task.items()}
        figures[name] = {
            **about,
            "scores": scores,
            **compared(scores["wordworth"], scores["trainer"]),
            "seconds": spent,
        }
    how = {"epochs": EPOCHS, "rate": RATE, "batch": BATCH, "threads": options.threads, "processes": options.processes}
    report({"tasks": figures, **how, "device": name_of(device_of(options.device))}, options.out)


if __name__ == "__main__":
    run_script(main)
