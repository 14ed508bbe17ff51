"""Columns and words that give the label away."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

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


@pytest.mark.parametrize("column", ["copy", "score"])
def test_a_column_that_gives_the_label_away_is_named(tmp_path: Path, column: str) -> None:
    rows = frame()
    rows["copy"] = rows.label.map({"bad": "B", "good": "G"})
    rows["score"] = np.random.default_rng(0).random(400) + rows.label.map({"bad": 0, "good": 2})
    rows["id"] = range(400)
    rows["day"] = [n % 7 for n in range(400)]
    task = read(tmp_path, rows[["text", "label", "id", "day", column]])
    assert found(task, "leak_column") == {"column": column, "right": 1.0}


def test_a_copy_of_the_amount_in_another_column_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["score"] = np.random.default_rng(0).random(400)
    rows["twice"], rows["noise"] = 2 * rows.score, np.random.default_rng(1).random(400)
    task = read(tmp_path, rows[["text", "score", "twice", "noise"]], label="score")
    assert found(task, "leak_column")["column"] == "twice"


def test_a_label_written_in_its_text_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = rows.label.str.upper() + ": " + rows.text
    assert found(read(tmp_path, rows), "leak_text") == {"class": "bad", "own": 1.0, "others": 0.0}


def test_labels_written_in_most_texts_are_a_leak_and_one_class_that_its_texts_often_name_is_none(
    tmp_path: Path,
) -> None:
    rows = frame()
    most = np.arange(len(rows)) % 10 < 6
    rows["text"] = np.where(most, "[" + rows.label + "] " + rows.text, rows.text)
    assert found(read(tmp_path, rows), "leak_text")["own"] == pytest.approx(0.6, abs=0.1)
    rows["text"] = np.where(rows.label == "bad", rows.text, rows.text.str.replace("[good] ", ""))
    assert "warning.leak_text" not in names(read(tmp_path, rows))  # as texts about traffic mention "traffic"


def test_a_word_that_only_the_texts_of_a_class_hold_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = rows.text + rows.label.map({"bad": " xzero", "good": " xone"})
    told = found(read(tmp_path, rows), "leak_text")
    assert (told["class"], told["word"], told["own"], told["others"]) == ("bad", "xzero", 1.0, 0.0)
    rows["text"] = [text.rsplit(" ", 1)[0] if n % 5 == 0 else text for n, text in enumerate(rows.text)]
    assert "warning.leak_text" not in names(read(tmp_path, rows))  # four texts in five hold it


def test_of_words_that_tell_as_much_the_first_in_the_alphabet_is_named_in_every_process(tmp_path: Path) -> None:
    rows, words = frame(), " ".join(f"x{letter}" for letter in "qhcdtbkmaw")
    rows["text"] = rows.text + rows.label.map({"bad": f" {words}", "good": " xone"})
    assert found(read(tmp_path, rows), "leak_text")["word"] == "xa"
