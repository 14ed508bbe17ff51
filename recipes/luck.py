"""How much do fine-tuning runs differ that saw the same labels? What a single run is doubted by comes from here.

    python recipes/luck.py --data DATA --out docs/records/luck.json [--sets mr/all.csv.xz trec/train.csv.xz]

Of each data set 800 rows are learned six times over, by the fine-tuning of `--quick`, and 700 others answered. The
standard deviation between runs holds their order of batches, dropout and fresh head, and their luck with these texts.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import QUICK
from wordworth.representations.rung import RunContext
from wordworth.tasks.reading.read_task import ReadSettings, read_task

SETS = ("mr/all.csv.xz", "trec/train.csv.xz")
TRAIN, TEST, RUNS = 800, 700, 6


def scores(data: Path, name: str) -> list[float]:
    """Return the task's metric of each run; all runs learn from the same labels and predict the same texts."""
    whole = read_task(data / name, ReadSettings(text="text", label="label"))
    order = seeds.child(0, "luck").permutation(len(whole.examples))[: TRAIN + TEST]
    task = replace(whole, train=np.sort(order[:TRAIN]), test=order[TRAIN:], warnings=())
    learner = FineTuned("minilm", QUICK).prepare(task, RunContext(threads=1, progress=Bars()))
    judge = metric(task.metric, task.classes)
    answers = [learner.fit(task.train, seeds.child(run, "run")).predict(task.test) for run in range(RUNS)]
    return [float(judge.score(task.gold(task.test), answer)) for answer in answers]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/luck.json"))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    options = parser.parse_args()
    figures = {}
    for name in options.sets:
        values = scores(options.data, name)
        figures[name.split("/")[0]] = {"scores": values, "deviation": float(np.std(values, ddof=1))}
        write_text(options.out, json.dumps(figures, indent=1) + "\n")
    print(json.dumps({name: figure["deviation"] for name, figure in figures.items()}))


if __name__ == "__main__":
    run_script(main)
