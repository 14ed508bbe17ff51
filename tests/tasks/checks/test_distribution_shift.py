"""Test parts that differ from what is learned from."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wordworth.tasks.checks import part_differences
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

WORDS = [
    f"{a}{b}{c}"
    for a in ("ka", "lo", "mi", "nu")
    for b in ("ra", "se", "ti", "vo")
    for c in ("n", "l", "th", "sh", "k")
]


def texts(n: int, seed: int = 0, words: list[str] = WORDS) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(words, 12)) for _ in range(n)]


def frame(n: int = 400, seed: int = 0) -> pd.DataFrame:
    return pd.DataFrame({"text": texts(n, seed), "label": np.random.default_rng(seed + 1).choice(["bad", "good"], n)})


def read(tmp_path: Path, rows: pd.DataFrame, test: pd.DataFrame | None = None, **settings: Any) -> Task:
    rows.to_csv(tmp_path / "a.csv", index=False)
    if test is not None:
        test.to_csv(tmp_path / "b.csv", index=False)
        settings["test"] = str(tmp_path / "b.csv")
    return read_task(tmp_path / "a.csv", ReadSettings(text="text", **{"label": "label", **settings}))


def found(task: Task, name: str) -> dict[str, Any]:
    """The numbers of the one warning of that name."""
    numbers = [dict(finding.numbers) for finding in task.warnings if finding.name == f"warning.{name}"]
    assert len(numbers) == 1, [finding.name for finding in task.warnings]
    return numbers[0]


def names(task: Task) -> set[str]:
    return {finding.name for finding in task.warnings if finding.name.startswith("warning.")}


def test_other_class_shares_in_the_test_part_are_told(tmp_path: Path) -> None:
    test = frame(300, seed=3)
    test["label"] = ["good"] * 270 + ["bad"] * 30
    task = read(tmp_path, frame(), test)
    share = float((frame().label == "good").mean())
    assert found(task, "class_shares")["distance"] == pytest.approx(0.9 - share)
    assert part_differences(task).furthest[0] in {"bad", "good"}  # they differ by the same


def test_shares_of_tags_are_told_of_the_words_not_of_the_sentences(tmp_path: Path) -> None:
    def sentences(n: int, names: int) -> pd.DataFrame:
        counts = [names * (row % 2) for row in range(n)]
        tags = [" ".join(["B-x"] * count + ["O"] * (20 - count)) for count in counts]
        words = [" ".join(f"w{(row + place) % 97}" for place in range(20)) for row in range(n)]
        return pd.DataFrame({"text": words, "label": tags})

    train, test = sentences(400, 4), sentences(400, 4)
    test["label"] = test["label"].where(np.arange(400) % 4 == 1, " ".join(["O"] * 20))
    test["text"] = "other " + test["text"].str.split(n=1).str[1]
    task = read(tmp_path, train, test, kind="tags")
    text = next(finding.text for finding in task.warnings if finding.name == "warning.class_shares")
    assert "other tags than the training part: 5 % of the words would have to change" in text
    assert "'B-x' holds 10 % of the words in training and 5 % in test" in text


def test_other_words_in_the_test_part_are_told(tmp_path: Path) -> None:
    test = frame(200, seed=3)
    test["text"] = texts(200, 3, [*WORDS, *(f"new{word}" for word in WORDS)])
    numbers = found(read(tmp_path, frame(), test), "vocabulary")
    assert numbers["unseen"] == pytest.approx(0.5, abs=0.05)
    assert numbers["expected"] == pytest.approx(0, abs=0.01)
