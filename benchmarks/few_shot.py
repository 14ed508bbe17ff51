"""Score of the few-shot rung beside TF-IDF, the frozen and the fine-tuned encoder, at 8 and 16 labels a class.

    python benchmarks/few_shot.py trec sst2 --draws 4

All rungs of an encoder start from the same weights, all rungs learn from the same drawn labels, and all answer the same
500 test texts. The fine-tuned encoder is there with as many updates as the few-shot one (where the number of texts is a
multiple of 16), and with its usual number. Intervals are of a bootstrap over draws and test texts; differences are
paired.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mixed_texts import data_folder
from wordworth import seeds
from wordworth.representations.few_shot import FewShot
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.finetuned import FineTuned
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.frozen import Frozen
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import RunContext, Rung
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task

RESAMPLES, LEVEL = 2_000, 95
TESTED, DRAWN_FROM = 500, 2_000
FEW_SHOT = "few-shot"
Right = NDArray[np.bool_]


def rungs_of(model: str) -> dict[str, Rung]:
    """Return the rungs that are compared, by their names in the record."""
    tfidf = next(rung for rung in default_ladder("classification", models=(), finetune=None) if rung.name == "tfidf")
    settings = FewShotTraining()
    equal = FineTuning(epochs=settings.pairs_per_text, batch_size=settings.batch_size, restarts=0)
    return {
        "tfidf": tfidf,
        "frozen": Frozen(model),
        FEW_SHOT: FewShot(model, settings),
        "fine-tuned, as many updates": FineTuned(model, equal),
        "fine-tuned": FineTuned(model),
    }


def drawn(task: Task, each: int, seed: int) -> Rows:
    """Return `each` training rows of every class (all of a class with fewer), drawn at random."""
    gold, rng = np.asarray(task.gold(task.train)), seeds.child(seed, "draw", each)
    of_class = [task.train[gold == label] for label in np.unique(gold)]
    return np.concatenate([rng.permutation(rows)[:each] for rows in of_class])


def interval(right: Right, rng: np.random.Generator) -> list[float]:
    """Return mean and 95 % interval of values [draws, texts], both resampled, in points."""
    draws, texts = right.shape
    means = [
        right[rng.integers(draws, size=draws)][:, rng.integers(texts, size=texts)].mean() for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(means, [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return [round(100 * float(value), 1) for value in (right.mean(), low, high)]


def joined(folder: Path, work: Path) -> tuple[Path, str]:
    """Write training texts of a data set and at most `TESTED` test texts as files; return them."""
    train = pd.read_csv(folder / "train.csv.xz", keep_default_na=False)[["text", "label"]]
    test = pd.read_csv(folder / "test.csv", keep_default_na=False)[["text", "label"]]
    work.mkdir(parents=True, exist_ok=True)
    train.sample(min(DRAWN_FROM, len(train)), random_state=0).to_csv(work / f"{folder.name}.csv", index=False)
    test.sample(min(TESTED, len(test)), random_state=0).to_csv(work / f"{folder.name}-test.csv", index=False)
    return work / f"{folder.name}.csv", str(work / f"{folder.name}-test.csv")


def measured(task: Task, rungs: Mapping[str, Rung], each: int, draws: int) -> dict[str, Right]:
    """Return rung -> which test texts it answers right, bool [draws, texts].

    Args:
        task: the task.
        rungs: by their names in the record.
        each: labels a class to learn from.
        draws: of the labels.
    """
    context, gold = RunContext(), np.asarray(task.gold(task.test))
    learners = {name: rung.prepare(task, context) for name, rung in rungs.items()}
    right: dict[str, list[Right]] = {name: [] for name in learners}
    for draw in range(draws):
        rows = drawn(task, each, draw)
        for name, learner in learners.items():
            fitted = learner.fit(rows, seeds.child(draw, name))
            right[name].append(np.asarray(fitted.predict(task.test)).argmax(1) == gold)
        print(f"{each} labels a class, draw {draw + 1} of {draws}", flush=True)
    return {name: np.array(of_draws) for name, of_draws in right.items()}


def main() -> None:
    """Measure, print and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 16])
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("docs/records/few_shot.json"))
    options = parser.parse_args()
    facts = {"model": options.model, "draws": options.draws, "tested": TESTED}
    rows: list[dict[str, object]] = []
    for name in options.sets:
        train, test = joined(options.data / name, Path("build/few_shot"))
        task = read_task(train, ReadSettings(text="text", label="label", metric="accuracy", test=test))
        for each in options.sizes:
            of_rung = measured(task, rungs_of(options.model), each, options.draws)
            for rung, right in of_rung.items():
                own, difference = (
                    interval(values, seeds.child(0, "interval", name, each, rung))
                    for values in (right.astype(float), of_rung[FEW_SHOT].astype(float) - right)
                )
                rows.append({"set": name, "labels": each, "rung": rung, "score": own, "few_shot_minus": difference})
                print(rows[-1], flush=True)
            options.out.write_text(json.dumps({**facts, "rows": rows}, indent=1) + "\n")  # a stopped run keeps it


if __name__ == "__main__":
    main()
