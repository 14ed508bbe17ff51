"""Fine-tuning quality beside transformers' own Trainer: five seeds each, the same examples, settings and steps.

    python benchmarks/finetune_quality.py --out figures.json                 # hours; goes on where it stopped
    python benchmarks/finetune_quality.py --tasks rte --seeds 2 --limit 200  # a smoke test

Both fine-tune MiniLM under BERT's classification (or token) head for the same epochs at the same rate, batch 16,
warm-up over 10 % of the updates and linear decay, dropout 0.1, clipping at 1, AdamW with decay 0.01; the last weights
answer the official dev part (of CoNLL-2003 its testa). Every finished run is kept in `<out>.runs/`, so that the same
command makes only what is missing. What counts is the difference of means with its interval over seeds (Welch).
Needs the data sets ($WORDWORTH_DATA) and the extra `peers`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
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
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.models.encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.studies.finetune.bench import load_encoder
from wordworth.tasks.named import named_task
from wordworth.tasks.task import Task
from wordworth.training.heads import head_of
from wordworth.training.heads.head import Reader
from wordworth.training.heads.tags import TaggedInputs
from wordworth.training.tuning import Procedure, Tuning

TASKS = ("cola", "sst2", "rte", "stsb", "mrpc", "conll2003")
EPOCHS = {"cola": 4, "sst2": 2, "rte": 8, "stsb": 5, "mrpc": 6, "conll2003": 3}
BATCH, RATE = 16, 1e-4
SYSTEMS = ("wordworth", "trainer")


@dataclass(frozen=True, slots=True)
class Pair:
    """A task's training part and the part it is measured on, as both systems read them."""

    task: Task
    epochs: int
    encoder: TextEncoder
    learned: Work
    held: Work

    @classmethod
    def of(cls, name: str, encoder: TextEncoder, limit: int | None) -> Pair:
        """A named task; with a limit, so many examples of either part."""
        task = named_task(name, held_out="dev")
        rows = seeds.child(0, "quality", name).permutation(task.train)[:limit]
        some = (np.sort(rows), task.test[:limit])
        parts = (_work(task, encoder, part) for part in some)
        return cls(task, EPOCHS[name], encoder, *parts)

    def score(self, said: Any) -> float:
        """The task's metric on the part held out."""
        return float(metric(self.task.metric, self.task.classes).score(self.held.labels, said))


def _work(task: Task, encoder: TextEncoder, rows: Any) -> Work:
    reader = Reader(tokenizer=encoder.tokenizer, limit=LIMIT, cut="end")
    return Work(task, encoder, head_of(task).read(reader, task.examples).take(rows), task.gold(rows))


def wordworth(pair: Pair, seed: int) -> tuple[float, float]:
    """Score and seconds of one run."""
    head, inputs = head_of(pair.task), pair.learned.inputs
    steps = pair.epochs * -(-len(inputs) // BATCH)
    how = Procedure(steps=steps, batch=BATCH, rate=RATE, pooling="pooler", prior=False)
    began = time.perf_counter()
    run = Tuning(pair.encoder.model, head, inputs, head.gold(pair.learned.labels, inputs), how, seed)
    run.advance(steps)
    seconds = time.perf_counter() - began
    return pair.score(run.tuned.said(pair.held.inputs)), seconds


def trainer(pair: Pair, seed: int) -> tuple[float, float]:
    """Score and seconds of one run of the Trainer, float32 as it comes."""
    of = AutoModelForTokenClassification if pair.task.kind == "tags" else AutoModelForSequenceClassification
    torch.manual_seed(seed)
    model = of.from_pretrained(str(resolve("minilm").folder), num_labels=max(1, len(pair.task.classes)))
    with tempfile.TemporaryDirectory() as out:
        settings = TrainingArguments(
            output_dir=out, num_train_epochs=pair.epochs, per_device_train_batch_size=BATCH, learning_rate=RATE,
            per_device_eval_batch_size=64, warmup_steps=0.1, weight_decay=0.01, adam_epsilon=1e-6, seed=seed,
            use_cpu=True, report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
        )  # fmt: skip
        work = Trainer(model=model, args=settings, train_dataset=pair.learned.dataset, data_collator=padded)
        began = time.perf_counter()
        work.train()
        seconds = time.perf_counter() - began
        logits = work.predict(pair.held.dataset).predictions
    return pair.score(_said(pair, np.asarray(logits))), seconds


def _said(pair: Pair, logits: np.ndarray) -> Any:
    if pair.task.kind == "regression":
        return logits.reshape(len(logits), -1)[:, 0].astype(np.float64)
    inputs = pair.held.inputs
    if not isinstance(inputs, TaggedInputs):
        return logits.astype(np.float64)
    head, gold = head_of(pair.task), head_of(pair.task).gold(pair.learned.labels, pair.learned.inputs)
    scores = [row[: len(tokens)] for row, tokens in zip(logits, inputs.tokens, strict=True)]
    return head.said(scores, gold, inputs)


def kept(folder: Path, pair: Pair, system: str, seed: int) -> dict[str, Any]:
    """One run's score and seconds, from its file where it was made before."""
    path = folder / f"{pair.task.name}-{len(pair.learned.inputs)}-{system}-{seed}.json"
    if not path.is_file():
        score, seconds = (wordworth if system == "wordworth" else trainer)(pair, seed)
        write_text(path, json.dumps({"score": score, "seconds": seconds}))
        print(f"{path.stem}: {100 * score:.1f} in {seconds:.0f} s", flush=True)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def compared(ours: list[float], theirs: list[float]) -> dict[str, Any]:
    """Both means with their deviations, and the 95 % interval of ours less theirs (Welch 1947)."""
    found: dict[str, Any] = {"wordworth": ours, "trainer": theirs, "difference": np.mean(ours) - np.mean(theirs)}
    if len(ours) > 1:
        span = stats.ttest_ind(ours, theirs, equal_var=False).confidence_interval(0.95)
        found |= {"low": float(span.low), "high": float(span.high), "not_below": bool(span.high >= 0)}
    return found


def main() -> None:
    """Make what is missing and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="at most so many examples of each part")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("finetune_quality.json"))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    encoder, folder, found = load_encoder("minilm"), given.out.with_name(f"{given.out.name}.runs"), {}
    for name in given.tasks:
        pair = Pair.of(name, encoder, given.limit)
        runs = {one: [kept(folder, pair, one, seed) for seed in range(given.seeds)] for one in SYSTEMS}
        scores = {one: [run["score"] for run in some] for one, some in runs.items()}
        spent = {one: float(np.mean([run["seconds"] for run in some])) for one, some in runs.items()}
        found[name] = {"metric": pair.task.metric, **compared(scores["wordworth"], scores["trainer"]), "seconds": spent}
    report({"tasks": found, "epochs": EPOCHS, "rate": RATE, "batch": BATCH, "threads": given.threads}, given.out)


if __name__ == "__main__":
    main()
