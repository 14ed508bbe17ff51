"""What is odd about the data is found, counted and said; ordinary data raises no alarm."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

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


def test_ordinary_data_raises_no_alarm(tmp_path: Path) -> None:
    assert names(read(tmp_path, frame())) == set()
    assert names(read(tmp_path, frame(), frame(200, seed=7))) == set()


def test_empty_texts_are_counted_and_kept(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[[3, 5], "text"] = ["", "  "]
    task = read(tmp_path, rows)
    assert found(task, "empty_texts") == {"rows": 2, "first": "a.csv, line 5", "lost": 1}
    assert len(task.examples) == 400


def test_rare_classes_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[[0, 1, 2], "label"] = "odd"
    assert set(found(read(tmp_path, rows), "rare_classes")["classes"]) == {"odd"}


def test_classes_that_differ_in_case_alone_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[:50, "label"] = "Good"
    assert found(read(tmp_path, rows), "similar_classes") == {"classes": [["Good", "good"]]}


def test_two_spellings_of_one_class_and_a_class_that_is_no_answer_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows["label"] = ["not spam", "Not-Spam", "n/a", "spam"] * (len(rows) // 4) + ["spam"] * (len(rows) % 4)
    task = read(tmp_path, rows)
    assert found(task, "similar_classes") == {"classes": [["Not-Spam", "not spam"]]}
    assert found(task, "missing_classes") == {"classes": ["n/a"]}
    rows["label"] = rows.label.replace("not spam", "#N/A")
    text = next(finding.text for finding in read(tmp_path, rows).warnings if finding.name == "warning.missing_classes")
    assert text == "'#N/A' and 'n/a' count as classes; if they mean “no label”, leave such rows out."


def test_one_and_one_point_nought_are_told_as_perhaps_one_class(tmp_path: Path) -> None:
    rows = frame()
    rows["label"] = (["0", "1", "1.0", "0"] * len(rows))[: len(rows)]
    assert found(read(tmp_path, rows), "similar_classes") == {"classes": [["1", "1.0"]]}


def test_very_long_texts_are_counted(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[7, "text"] = "word " * 100_000
    task = read(tmp_path, rows)
    assert found(task, "long_texts") == {"rows": 1, "longest": 500_000}
    assert task.examples.first[7] == "word " * 100_000


def test_a_column_of_numbers_is_doubted_as_the_column_of_the_texts(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = [str(number) for number in range(len(rows))]
    assert found(read(tmp_path, rows), "number_texts") == {"rows": len(rows)}
    rows.loc[0, "text"] = " "
    assert "warning.number_texts" in names(read(tmp_path, rows))
    rows.loc[3, "text"] = "a text"
    assert "warning.number_texts" not in names(read(tmp_path, rows))


def test_a_column_of_json_objects_is_doubted_as_the_column_of_the_texts(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = '{"body": "' + rows.text + '", "lang": "en"}'
    assert found(read(tmp_path, rows), "object_texts") == {"rows": len(rows)}
    rows.loc[3, "text"] = "{a text}"
    assert "warning.object_texts" not in names(read(tmp_path, rows))


def test_second_texts_that_are_all_the_same_are_told(tmp_path: Path) -> None:
    rows = frame()
    rows["other"] = "same"
    assert found(read(tmp_path, rows, text_b="other"), "constant_text") == {"rows": 400}


def test_words_of_scripts_without_spaces_are_counted_one_by_one(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    signs = [chr(0x4E00 + n) for n in range(60)]
    rows = pd.DataFrame({"text": ["".join(rng.choice(signs, 12)) for _ in range(300)], "label": ["a", "b"] * 150})
    assert part_differences(read(tmp_path, rows)).unseen < 0.01
