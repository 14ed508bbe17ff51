"""Score of the few-shot rung beside SetFit, TF-IDF, the frozen and the fine-tuned encoder, by labels a class.

    python benchmarks/few_shot.py trec sst2 --sizes 8 16 64 --draws 3 --work /tmp/few_shot

All of an encoder start from the same weights, all learn from the same drawn labels, and all answer the same test texts.
At the sizes of `--setfit` SetFit is there as it comes, in float32, with as many updates as the few-shot rung; at those
of `--equal` the fine-tuned encoder with about as many, beside its usual number. Intervals are over draws and test
texts, widened for the few draws; differences are paired. Answers are kept in `--work`, from which a stopped call goes
on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from measure import data_file, data_folder
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.bootstrap import crossed_interval, item_weights, run_picks
from wordworth.representations.few_shot import FewShot
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import RunContext, Rung
from wordworth.sources import resolve
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task

RESAMPLES = 2_000
DRAWN_FROM = 2_000
FEW_SHOT, EQUAL = "few-shot", "fine-tuned, as many updates"
Answers = NDArray[np.int64]
Right = NDArray[np.float64]
Contender = Callable[[Rows, int], Answers]
"""A function that learns from rows of a task with a seed, and returns the predicted classes of the test texts."""


def rungs_of(model: str, texts: int, *, equal: bool) -> dict[str, Rung]:
    """Return the rungs that are compared, by their names in the record.

    Args:
        model: the encoder.
        texts: number of texts to learn from.
        equal: whether the encoder is fine-tuned with as many updates as the few-shot rung, too.
    """
    tfidf = next(rung for rung in default_ladder("classification", models=(), finetune=None) if rung.name == "tfidf")
    settings = FewShotTraining()
    passes = max(1, round(settings.steps(texts) * settings.batch_size / texts))
    as_many = FineTuning(epochs=passes, batch_size=settings.batch_size, restarts=0)
    return {
        "tfidf": tfidf,
        "frozen": Frozen(model),
        FEW_SHOT: FewShot(model, settings),
        **({EQUAL: FineTuned(model, as_many)} if equal else {}),
        "fine-tuned": FineTuned(model),
    }


def contenders(
    task: Task, model: str, texts: int, work: Path, *, equal: bool, beside_setfit: bool
) -> dict[str, Contender]:
    """Return name -> contender, a function that learns from rows and predicts the test texts.

    Args:
        task: the task.
        model: the encoder.
        texts: number of texts to learn from.
        work: a folder for SetFit's trainer.
        equal: whether the encoder is fine-tuned with as many updates as the few-shot rung, too.
        beside_setfit: whether SetFit learns too.
    """

    def of(rung: Rung, name: str) -> Contender:
        learner = rung.prepare(task, RunContext())
        return lambda rows, draw: np.asarray(learner.fit(rows, seeds.child(draw, name)).predict(task.test)).argmax(1)

    ours = {name: of(rung, name) for name, rung in rungs_of(model, texts, equal=equal).items()}
    return {
        **ours,
        **({"setfit": lambda rows, draw: by_setfit(task, model, rows, draw, work)} if beside_setfit else {}),
    }


def by_setfit(task: Task, model: str, rows: Rows, draw: int, work: Path) -> Answers:
    """Return the answers of SetFit to the test texts.

    Args:
        task: the task.
        model: the encoder.
        rows: to learn from.
        draw: its seed.
        work: a folder that its trainer wants.
    """
    import setfit
    from datasets import Dataset

    settings = FewShotTraining()
    peer = setfit.SetFitModel.from_pretrained(str(resolve(model).folder), device="cpu")
    options = setfit.TrainingArguments(
        output_dir=str(work / "setfit"), batch_size=settings.batch_size, num_iterations=settings.pairs_per_text // 2,
        num_epochs=1, max_steps=settings.steps(len(rows)), body_learning_rate=settings.learning_rate, seed=draw,
        max_length=settings.most_tokens, report_to="none", save_strategy="no", logging_strategy="no",
        show_progress_bar=False,
    )  # fmt: skip
    labelled = {"text": list(task.examples.take(rows).first), "label": np.asarray(task.gold(rows)).tolist()}
    setfit.Trainer(model=peer, args=options, train_dataset=Dataset.from_dict(labelled)).train()
    return np.asarray(peer.predict(list(task.examples.take(task.test).first), as_numpy=True))


def drawn(task: Task, each: int, seed: int) -> Rows:
    """Return `each` training rows of every class (all of a class with fewer), drawn at random."""
    gold, rng = np.asarray(task.gold(task.train)), seeds.child(seed, "draw", each)
    of_class = [task.train[gold == label] for label in np.unique(gold)]
    return np.concatenate([rng.permutation(rows)[:each] for rows in of_class])


def interval(right: Right, rng: np.random.Generator) -> list[float]:
    """Return mean and 95 % interval of values [draws, texts], over both, in points."""
    draws, texts = right.shape
    weights = item_weights(texts, RESAMPLES, rng)
    by_draw = right @ (weights / weights.sum(1, keepdims=True)).T
    span = crossed_interval(right.mean(1), by_draw, run_picks(draws, RESAMPLES, rng))
    return [round(100 * float(value), 1) for value in (right.mean(), span.low, span.high)]


def task_of(folder: Path, work: Path, tested: int) -> Task:
    """Return training texts of a data set, and at most `tested` of its test texts."""
    whole = folder / "all.csv.xz"
    train = pd.read_csv(whole if whole.exists() else folder / "train.csv.xz", keep_default_na=False)
    train = train[["text", "label"]].sample(frac=1, random_state=0)
    if whole.exists():
        train, test = train[:DRAWN_FROM], train[DRAWN_FROM:]
    else:
        test = pd.read_csv(data_file(folder, "test.csv*"), keep_default_na=False)[["text", "label"]]
    work.mkdir(parents=True, exist_ok=True)
    files = [work / f"{folder.name}{part}.csv" for part in ("", "-test")]
    for file, rows in zip(
        files, (train[:DRAWN_FROM], test.sample(min(tested, len(test)), random_state=0)), strict=True
    ):
        rows.to_csv(file, index=False)
    return read_task(files[0], ReadSettings(text="text", label="label", metric="accuracy", test=str(files[1])))


def measured(task: Task, name: str, each: int, options: argparse.Namespace) -> dict[str, Right]:
    """Return contender -> whether it answers each test text right, [draws, texts].

    Args:
        task: the task.
        name: of the data set.
        each: labels a class to learn from.
        options: of the call.
    """
    gold, rows = np.asarray(task.gold(task.test)), [drawn(task, each, draw) for draw in range(options.draws)]
    learn = contenders(
        task,
        options.model,
        len(rows[0]),
        options.work,
        equal=each in options.equal,
        beside_setfit=each in options.setfit,
    )
    right: dict[str, list[Right]] = {who: [] for who in learn}
    for draw, own in enumerate(rows):
        for who, answer in learn.items():
            file = options.work / f"{name}-{each}-{draw}-{who}.npy"
            if not file.exists():
                np.save(file, answer(own, draw))
                print(file.stem, flush=True)
            right[who].append((np.load(file) == gold).astype(float))
    return {who: np.array(of_draws) for who, of_draws in right.items()}


def rows_of(name: str, each: int, of: Mapping[str, Right]) -> list[dict[str, object]]:
    """Return the scores on a set at a number of labels a class, and the lead of the few-shot rung over each contender.

    Args:
        name: of the data set.
        each: labels a class.
        of: contender -> whether it answers each test text right, [draws, texts].
    """
    return [
        {
            "set": name,
            "labels": each,
            "rung": who,
            "tested": right.shape[1],
            "score": interval(right, seeds.child(0, "interval", name, each, who)),
            "few_shot_minus": interval(of[FEW_SHOT] - right, seeds.child(0, "interval", name, each, who)),
        }
        for who, right in of.items()
    ]


def main() -> None:
    """Measure, print and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 16, 64])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--tested", type=int, default=500, help="most test texts")
    parser.add_argument(
        "--equal", type=int, nargs="*", default=[], help="sizes at which to fine-tune with as many updates"
    )
    parser.add_argument("--setfit", type=int, nargs="*", default=[], help="sizes at which SetFit learns too")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    facts = {"model": options.model, "draws": options.draws}
    rows: list[dict[str, object]] = []
    for name in options.sets:
        task = task_of(options.data / name, options.work, options.tested)
        for each in options.sizes:
            rows += rows_of(name, each, measured(task, name, each, options))
            print(json.dumps(rows, indent=1), flush=True)
            if options.out:
                write_text(options.out, json.dumps({**facts, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
