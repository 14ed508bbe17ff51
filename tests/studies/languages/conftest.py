"""Texts in three made languages: `aa` and `bb` share the words that decide the label; the model knows none of `cc`."""

import csv
from pathlib import Path

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.seeds import child

GOOD, BAD = ["good", "fine", "great"], ["bad", "poor", "weak"]
COMMON = {"aa": ["the", "film", "was"], "bb": ["le", "kino", "est"], "cc": ["我", "看", "了"]}


def rows(items=60, languages=("aa", "bb", "cc")):
    """Items by language: each has a word of its label and three numbers of its own."""
    rng = child(0, "languages")
    table = []
    for item in range(items):
        label = ("neg", "pos")[item % 2]
        word, numbers = rng.choice(GOOD if label == "pos" else BAD), " ".join(map(str, rng.integers(100, 999, 3)))
        for language in languages:
            written = word if language != "cc" else {"pos": "好", "neg": "坏"}[label]
            text = " ".join([*rng.permutation(COMMON[language]), written, numbers])
            table.append({"text": text, "label": label, "language": language, "index": str(item)})
    return table


def write(path: Path, table):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0].keys())
        writer.writeheader()
        writer.writerows(table)
    return path


@pytest.fixture(scope="package")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    write(folder / "texts.csv", rows())
    write_tiny_encoder(folder / "tiny")
    return folder
