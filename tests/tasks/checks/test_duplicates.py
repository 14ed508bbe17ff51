"""Texts that repeat, and texts of the test part that are learned from."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.checks import overlap_rows
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


def test_repeated_texts_with_other_labels_are_counted_with_what_they_cost(tmp_path: Path) -> None:
    rows = frame()
    copies = pd.DataFrame({"text": [rows.text[0].upper(), f" {rows.text[0]}"], "label": ["good", "bad"]})
    task = read(tmp_path, pd.concat([rows, copies]))
    assert found(task, "duplicates") == {"rows": 2, "of": 402}
    assert found(task, "conflicts") == {"texts": 1, "rows": 3, "lost": 1, "share_lost": 1 / 402}
    text = next(finding.text for finding in task.warnings if finding.name == "warning.conflicts")
    assert text.startswith("1 text is in these 402 rows with different labels")
    assert "(a.csv, line 2 and line 402)" in text


def test_empty_texts_have_one_warning_and_are_no_duplicates(tmp_path: Path) -> None:
    rows, test = frame(), frame(100, seed=5)
    rows.loc[:4, ["text", "label"]] = [["", "good"], [" ", "good"], ["", "bad"], ["", "good"], ["", "bad"]]
    test.loc[:1, "text"] = ""
    test.loc[:1, "label"] = "bad"
    task = read(tmp_path, rows, test)
    assert found(task, "empty_texts") == {"rows": 7, "first": "a.csv, line 2", "lost": 3}
    assert not {finding.name for finding in task.warnings} & {
        f"warning.{name}" for name in ("duplicates", "conflicts", "overlap")
    }
    assert overlap_rows(task).tolist() == [400, 401]  # learned from nevertheless


def test_pairs_are_empty_only_where_both_texts_are(tmp_path: Path) -> None:
    rows = frame().assign(other="said")
    rows.loc[:2, "text"] = ""
    rows.loc[0, "other"] = ""
    task = read(tmp_path, rows, text_b="other")
    assert found(task, "empty_texts")["rows"] == 3
    assert found(task, "duplicates") == {"rows": 1, "of": 400}


def test_twins_across_the_parts_are_counted_and_can_be_left_out(tmp_path: Path) -> None:
    rows, test = frame(), frame(100, seed=5)
    test.loc[0, "text"] = rows.text[10].upper()
    test.loc[1, "text"] = rows.text[20] + "!"
    test.loc[[0, 1], "label"] = rows.label[[10, 20]].to_list()
    task = read(tmp_path, rows, test)
    assert found(task, "overlap") == {"rows": 2, "exact": 1, "near": 1, "same_label": 2, "test": 100}
    assert overlap_rows(task).tolist() == [400, 401]
    (told,) = [warning.text for warning in task.warnings if warning.name == "warning.overlap"]
    assert told.startswith(
        "2 of 100 test texts have a duplicate among the training texts: 1 is the same text, 1 overlaps"
    )


def test_equal_texts_never_straddle_a_split_of_ours(tmp_path: Path) -> None:
    rows = pd.concat([frame(100), frame(100), frame(100)])
    task = read(tmp_path, rows)
    assert overlap_rows(task).tolist() == []


def test_a_test_file_of_texts_that_are_learned_from_is_refused(tmp_path: Path) -> None:
    rows = frame()
    with pytest.raises(BadInput, match=r"all of its 400 texts are in the training part too"):
        read(tmp_path, rows, rows)
    some = pd.concat([rows.iloc[:200], frame(9, seed=7)])
    with pytest.raises(BadInput, match=r"all but 9 of its 209 texts .* give `test` a file with other texts"):
        read(tmp_path, rows, some)
    half = pd.concat([rows.iloc[:200], frame(200, seed=7)])
    assert found(read(tmp_path, rows, half), "overlap")["exact"] == 200


def test_a_test_part_of_near_copies_is_told_to_be_memory(tmp_path: Path) -> None:
    rows = frame()
    near = rows.assign(text=rows.text + " see")
    (told,) = [one.text for one in read(tmp_path, rows, near).warnings if one.name == "warning.overlap"]
    assert told.startswith("Scores here may be memory. 400 of 400 test texts")
