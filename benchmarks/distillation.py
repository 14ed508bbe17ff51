"""Students of half the layers by every method of `wordworth distill`, on published tasks: what a teacher gives.

python benchmarks/distillation.py sst2 mrpc cola --rows 2000 --epochs 4 --seeds 5 --work /tmp/distillation

For each task: `--model` is fine-tuned on the first rows of a shuffled training part, by one run, and its students learn
from the same rows; both are scored on the task's test part, by accuracy where its publication gives that. A task is a
published one by name, or a folder of $WORDWORTH_DATA with `train.csv.xz` and `test.csv` or `test.csv.xz`: `trec`,
scored by accuracy, or `reuters`, of several labels a text, by micro F1. Test rows with a label that no drawn training
row has are left out. A call that was stopped goes on in `--work`. The published relation (Sun et al. 2019, table 1) is
fine-tuning < KD <= PKD.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import measure
import wordworth as ww
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.tasks.datasets import named_task, names
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task
from wordworth.tasks.task_types.multilabel import MULTILABEL

_METHODS = ("finetune", "kd", "pkd-last", "distilbert", "tinybert", "pkd-skip")
_SCORES = ("model", "runs", "score", "deviation", "low", "high", "loss", "loss_low", "loss_high")
_DIFFERENCES = ("gain", "gain_low", "gain_high", "over_kd", "over_kd_low", "over_kd_high", "sure")
_COLUMNS = (*_SCORES, *_DIFFERENCES, "layers", "parameters", "bytes")


def main() -> None:
    """Distil on each task and report the tables of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--start", default="teacher", help="what students begin as: teacher, pretrained or bilstm")
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--temperature", type=float, help="of the answers [default: by the method]")
    parser.add_argument("--alpha", type=float, help="weight of the teacher's answers [default: by the method]")
    parser.add_argument("--methods", default=",".join(_METHODS), help="the student of the last one is timed")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    names = ("model", "layers", "start", "rows", "epochs", "seeds", "temperature", "alpha")
    settings = {name: getattr(options, name) for name in names}
    figures: dict[str, Any] = {"settings": settings, "tasks": {}}
    for name in options.tasks:
        figures["tasks"][name] = distilled(name, options)
        measure.report(figures, options.out)


def distilled(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Fine-tune a teacher on a task and distil it; return the scores of all models and their speed."""
    folder = options.work / name
    train, test, metric = write_parts(name, options.rows, folder)
    shared: dict[str, Any] = {"test": test, "metric": metric, "epochs": options.epochs, "processes": options.processes}
    ww.finetune(data=train, model=options.model, restarts=1, out=folder / "teacher", **shared)
    *others, last = options.methods.split(",")
    record = ww.distill(
        folder / "teacher",
        folder / f"student-{options.start}",
        data=train,
        layers=options.layers,
        start=options.start,
        method=last,
        compare=",".join(others),
        seeds=options.seeds,
        temperature=options.temperature,
        alpha=options.alpha,
        **shared,
    )
    models = [{column: row[column] for column in _COLUMNS} for row in record.tables["models"].rows()]
    speed = record.timings["speed"].rows() if "speed" in record.timings else []
    about = {"train": record.data["train"], "dev": record.data["dev"], "test": record.data["test"], "metric": metric}
    return {**about, "models": models, "speed": speed, "methods": record.tables["methods"].rows()}


def task_of(name: str) -> Task:
    """Return a published task, or the rows of a folder of texts with labels."""
    if name in names():
        return named_task(name)
    folder = measure.data_folder() / name
    test = measure.data_file(folder, "test.csv*")
    task = read_task(folder / "train.csv.xz", ReadSettings(test=str(test), skip_unusable=True))
    return task if task.kind == MULTILABEL.name else replace(task, metric="accuracy")


def write_parts(name: str, rows: int, folder: Path) -> tuple[Path, Path, str]:
    """Write rows of a task's training part and its whole test part as CSV; return both files and the metric."""
    task = task_of(name)
    order = seeds.child(0, "distillation", name).permutation(task.train)[:rows]
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "train.csv", folder / "test.csv"
    for path, part in zip(paths, (order, tested(task, order)), strict=True):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            pair = task.examples.second
            writer.writerow(["text", *(["text_b"] if pair is not None else []), "label"])
            for row in part:
                second = [] if pair is None else [pair[row]]
                writer.writerow([task.examples.first[row], *second, task.label_text(task.labels[row], row)])
    return *paths, "accuracy" if "accuracy" in task.metrics else task.metric


def tested(task: Task, learned: Rows) -> Rows:
    """Return the test rows; of texts with several labels, those alone whose labels all occur in the learned rows."""
    if task.kind != MULTILABEL.name:
        return task.test
    gold, known = np.asarray(task.gold(task.test)), np.asarray(task.gold(learned)).any(axis=0)
    return task.test[~(gold & ~known).any(axis=1)]


if __name__ == "__main__":
    run_script(main)
