"""Small files of pairs: sentences of the sample task, alike where their scores are."""

import csv
from pathlib import Path

from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.testing.sample_tasks import sample_task

SIZE = 90


def write(path: Path, header: list[str], rows: list[tuple]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def scored(path: Path, size: int = SIZE, seed: int = 0) -> Path:
    """Pairs with a score from 0 to 5."""
    task = sample_task("pair_classification", size, seed)
    rows = [
        (first, second, 5 * len({*first.split()} & {*second.split()}) / len({*first.split()} | {*second.split()}))
        for first, second in zip(task.examples.first, task.examples.second, strict=True)
    ]
    return write(path, ["sentence1", "sentence2", "score"], rows)


def labelled(path: Path, size: int = SIZE) -> Path:
    """Premises with an entailment and a contradiction each, and neutral pairs."""
    texts = sample_task("classification", 3 * size).examples.first
    rows = []
    for number in range(size):
        premise, alike, unlike = texts[3 * number : 3 * number + 3]
        rows += [
            (premise, f"{premise} there", "entailment"),
            (premise, unlike, "contradiction"),
            (alike, unlike, "neutral"),
        ]
    return write(path, ["premise", "hypothesis", "label"], rows)


def files_to_train_on(folder: Path) -> Path:
    """A folder with labelled pairs `nli.csv`, scored ones `sts.csv` and a small encoder `tiny`."""
    labelled(folder / "nli.csv")
    scored(folder / "sts.csv")
    write_tiny_encoder(folder / "tiny")
    return folder
