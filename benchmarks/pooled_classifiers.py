"""The first token's state and the mean: what a classifier makes of each, and what the cosine does.

    python benchmarks/pooled_classifiers.py cr mr subj mpqa sst2 trec --out docs/records/pooled_classifiers.json

A linear head learns the labels of at most 1,000 texts of a set from the sentence vectors of an encoder that was never
tuned on them, pooled by the first token, the mean and the maximum of its states; it chooses its penalty inside these
texts, as on the ladder, and answers up to 1,000 others. The cosines of the same vectors order the pairs of STS-B test.
Intervals are over texts, or pairs; differences from the mean are paired. Needs the data sets ($WORDWORTH_DATA).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from measure import data_folder, in_parts
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.int8_and_bit_vectors import Vectors
from wordworth.models.load import EncoderSpec
from wordworth.models.pooling import SentenceHead, SentencePooling
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.tasks.task import Task

POOLINGS: tuple[SentencePooling, ...] = ("mean", "cls", "max")
MOST, DRAWS = 1_000, 1_000


def encoders(trained: Path | None) -> Mapping[str, TextEncoder]:
    """Return the encoders by name: as they are, with random weights, and a trained folder where one is named."""
    names = {"mini": "mini", "minilm": "minilm", **({} if trained is None else {"mini, trained": trained})}
    loaded = {name: EncoderSpec(name=str(source)).open() for name, source in names.items()}
    twin = loaded["mini"].with_model(random_twin(loaded["mini"].model, seeds.child_seed(0, "pooled_classifiers")))
    return {**loaded, "random weights": twin}


def pooled(encoder: TextEncoder, texts: Sequence[str]) -> dict[str, Vectors]:
    """Return the vectors of texts by each pooling, of length 1."""
    both = replace(encoder, head=SentenceHead(POOLINGS)).encode(list(texts), long_texts="cut")
    return {
        name: unit_or_zero(each) for name, each in zip(POOLINGS, np.split(both, len(POOLINGS), axis=1), strict=True)
    }


def labelled(name: str, work: Path) -> Task:
    """Return a set of at most `MOST` texts to learn from and as many others to test on."""
    folder = data_folder() / name
    whole = folder / "all.csv.xz"
    train = pd.read_csv(whole if whole.exists() else folder / "train.csv.xz", keep_default_na=False)
    train = train[["text", "label"]].sample(frac=1, random_state=0)
    test = train[MOST : 2 * MOST] if whole.exists() else pd.read_csv(folder / "test.csv", keep_default_na=False)
    if whole.exists() and len(train) < 2 * MOST:
        train, test = train[: len(train) // 2], train[len(train) // 2 :]
    work.mkdir(parents=True, exist_ok=True)
    for part, rows in (("train", train[:MOST]), ("test", test[["text", "label"]][:MOST])):
        rows.to_csv(work / f"{name}-{part}.csv", index=False)
    settings = ReadSettings(text="text", label="label", metric="accuracy", test=str(work / f"{name}-test.csv"))
    return read_task(work / f"{name}-train.csv", settings)


def answers(task: Task, vectors: Vectors) -> Predicted:
    """Return what a linear head on the vectors of all texts of a task answers for its test part."""
    head, known = LinearHead(), vectors[task.train]
    target, rng = Target.of(task, task.train), seeds.child(0, "pooled_classifiers")
    choice = head.choose(lambda own, other: ({"own": known[own]}, {"own": known[other]}), target, rng)
    return head.learn({"own": known}, target, choice, rng).predict(vectors[task.test])


def compared(paired: PairedChanges, predicted: Mapping[str, Predicted]) -> list[dict[str, Any]]:
    """Return the score of each pooling, and its change from the mean, in points with 95 % intervals."""
    rows = []
    for pooling, own in predicted.items():
        change: Change = paired.change(own, predicted["mean"])
        ends = {name: 100 * value for name, value in change.interval.columns("change_").items()}
        rows.append({"pooling": pooling, "score": 100 * paired.score(own), "change": 100 * change.value, **ends})
    return rows


def of_labels(name: str, models: Mapping[str, TextEncoder]) -> dict[str, Any]:
    """Return the accuracies of all encoders and poolings on a labelled set."""
    task = labelled(name, Path("build/pooled_classifiers"))
    rng = seeds.child(0, "pooled_classifiers", name)
    paired = PairedChanges.of(metric("accuracy", task.classes), task.gold(task.test), task.classes, DRAWS, rng)
    rows: list[dict[str, Any]] = []
    for model, encoder in models.items():
        vectors = pooled(encoder, task.examples.first)
        predicted: dict[str, Predicted] = {pooling: answers(task, each) for pooling, each in vectors.items()}
        rows += [{"model": model, **row} for row in compared(paired, predicted)]
    return {"train": len(task.train), "test": len(task.test), "classes": len(task.classes), "rows": rows}


def of_cosines(models: Mapping[str, TextEncoder]) -> dict[str, Any]:
    """Return Spearman's correlations of all encoders and poolings on STS-B test."""
    test = read_sentences(data_folder() / "stsb" / "test.csv")
    paired = PairedChanges.of(metric("spearman", ()), test.scores, (), DRAWS, seeds.child(0, "pooled_classifiers"))
    rows = []
    for model, encoder in models.items():
        first, second = (pooled(encoder, side) for side in (test.first, test.second))
        cosines: dict[str, Predicted] = {pool: (first[pool].astype(float) * second[pool]).sum(1) for pool in POOLINGS}
        rows += [{"model": model, **row} for row in compared(paired, cosines)]
    return {"test": len(test), "rows": rows}


def main() -> None:
    """Measure the cosines, then a classifier on each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--trained", type=Path, help="folder of `mini` after `train-sentences`")
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    models = encoders(options.trained)
    parts = [("STS-B, cosine", partial(of_cosines, models))]
    parts += [(name, partial(of_labels, name, models)) for name in options.sets]
    in_parts(parts, "sets", options.out)


if __name__ == "__main__":
    run_script(main)
