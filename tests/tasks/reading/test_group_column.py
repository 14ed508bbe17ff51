"""Rows of a group that the user names stay together, in files of every kind; a column that cannot group is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.reading.rows import task_of, write

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

WORDS = ("red", "blue", "green", "grey", "black")


def row(number: int, label: Any = None) -> dict[str, Any]:
    """A row of one of 24 authors, the first of whom wrote half of them."""
    author = 0 if number % 2 else number // 2 % 24
    return {
        "text": f"{WORDS[number % 5]} review {number}",
        "label": label or ("bad", "good")[number * 7 % 3 % 2],
        "author": f"author {author}",
    }


ROWS = [row(number) for number in range(240)]
KINDS = {
    "classification": ROWS,
    "pair_classification": [
        {"text_a": each["text"], "text_b": f"answer {number % 11}", "label": each["label"], "author": each["author"]}
        for number, each in enumerate(ROWS)
    ],
    "regression": [{**each, "label": float(number % 13) + 0.5} for number, each in enumerate(ROWS)],
    "multilabel": [{**each, "label": [["a"], ["b"], ["a", "b"], []][number % 4]} for number, each in enumerate(ROWS)],
    "tagging": [
        {"words": [WORDS[number % 5], "x", str(number)], "tags": ["B-C", "O", "O"], "author": each["author"]}
        for number, each in enumerate(ROWS)
    ],
}


def groups_of(task: Task) -> np.ndarray:
    assert task.examples.groups is not None
    return np.array(task.examples.groups)


def told(task: Task, name: str) -> str:
    return next((one.text for one in task.warnings if one.name == name), "")


@pytest.mark.parametrize("kind", KINDS)
def test_no_group_is_in_two_folds(tmp_path: Path, kind: str) -> None:
    task = task_of(tmp_path, KINDS[kind], group="author", folds=5)
    assert (task.kind, len(task.folds), len(set(groups_of(task)))) == (kind, 5, 24)
    for fold in task.folds:
        assert not set(groups_of(task)[fold]) & set(groups_of(task)[np.setdiff1d(task.test, fold)])
    assert "no 'author' in two" in told(task, "method.split")


@pytest.mark.parametrize("kind", KINDS)
def test_no_group_is_both_learned_from_and_tested_on(tmp_path: Path, kind: str) -> None:
    task = task_of(tmp_path, KINDS[kind], group="author", test=0.3)
    assert not set(groups_of(task)[task.train]) & set(groups_of(task)[task.test])
    assert 40 <= len(task.test) <= 80
    assert "no 'author' in both parts" in told(task, "method.split")


def test_a_group_whose_class_no_other_has_is_learned_from(tmp_path: Path) -> None:
    rows = [row(number, "rare" if number // 2 % 24 == 5 and not number % 2 else None) for number in range(240)]
    for seed in range(4):
        task = task_of(tmp_path, rows, group="author", test=0.3, seed=seed)
        assert "rare" in {task.classes[label] for label in task.labels[task.train]}


def test_the_record_says_that_groups_are_kept_together_and_warns_where_they_are_few(tmp_path: Path) -> None:
    task = task_of(tmp_path, ROWS, group="author", folds=5)
    assert told(task, "warning.groups").startswith("The 240 rows are of 24 groups by 'author'.")
    assert "differ so much in size that they say as much as 4 of one size" in told(task, "warning.few_groups")
    assert told(task_of(tmp_path, ROWS, group="author", test=0.3), "warning.few_groups").startswith("Only 1")
    even = [{**each, "author": f"author {number % 30}"} for number, each in enumerate(ROWS)]
    assert not told(task_of(tmp_path, even, group="author", folds=5), "warning.few_groups")


def test_without_groups_nothing_is_said_of_them(tmp_path: Path) -> None:
    task = task_of(tmp_path, ROWS, folds=5)
    assert task.examples.groups is None
    assert not told(task, "warning.groups")


def test_a_limit_of_rows_leaves_nearly_all_groups_with_some(tmp_path: Path) -> None:
    even = [{**each, "author": f"author {number % 30}"} for number, each in enumerate(ROWS)]
    task = task_of(tmp_path, even, group="author", folds=5, limit=120)
    assert len(task.test) == 120
    assert len(set(groups_of(task))) >= 28
    assert f"The 120 rows are of {len(set(groups_of(task)))} groups" in told(task, "warning.groups")


def test_a_column_of_groups_is_never_taken_for_texts_or_labels_or_for_a_leak(tmp_path: Path) -> None:
    rows = [
        {"document": f"d{number % 24}", "said": f"review {number} of a thing", "mark": ("a", "b")[number % 24 % 2]}
        for number in range(240)
    ]
    task = task_of(tmp_path, rows, group="document", folds=5)
    assert task.columns == ("said",)
    assert task.classes == ("a", "b")
    assert not told(task, "warning.leak_column")


def test_pairs_of_two_groups_with_the_same_first_text_are_counted(tmp_path: Path) -> None:
    rows = [
        {
            "text_a": f"question {number // 24}",
            "text_b": f"answer {number}",
            "label": each["label"],
            "author": f"a{number % 24}",
        }
        for number, each in enumerate(ROWS)
    ]
    task = task_of(tmp_path, rows, group="author", folds=5)
    assert told(task, "warning.shared_first_texts").startswith("240 of 240 test pairs have a first text")


REFUSED: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str, str]] = {
    "missing": (ROWS, {"group": "autor"}, "group column 'autor' not found", "author"),
    "constant": ([{**each, "author": "one"} for each in ROWS], {}, "every row has the same 'author'", "--group"),
    "own": ([{**each, "author": each["text"]} for each in ROWS], {}, "every row has its own 'author'", "--group"),
    "blank": (
        [*ROWS[:-2], *({**each, "author": " "} for each in ROWS[-2:])],
        {},
        "2 of 240 rows have no 'author' (lines 239, 240)",
        "fill them in, or remove such rows (worth and finetune skip them with --skip-unusable)",
    ),
    "label": (ROWS, {"group": "label", "label": "label"}, "column 'label' cannot serve twice", "--group"),
    "text": (ROWS, {"group": "text", "text": "text"}, "column 'text' cannot serve twice", "--group"),
    "few": (
        [{**each, "author": f"a{number % 3}"} for number, each in enumerate(ROWS)],
        {"folds": 5},
        "3 groups by 'author' are too few for 5 folds",
        "--seeds 2 to 3",
    ),
    "two": (
        [{**each, "author": f"a{number % 2}"} for number, each in enumerate(ROWS)],
        {"test": 0.4},
        "the test part is of one group by 'author'",
        "--group",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_groups_that_cannot_be_used_are_refused(tmp_path: Path, case: str) -> None:
    rows, settings, what, mend = REFUSED[case]
    with pytest.raises(BadInput) as error:
        task_of(tmp_path, rows, **{"group": "author", **settings})
    assert what in error.value.what
    assert mend in error.value.mend


def test_a_test_file_has_other_groups_and_the_same_column(tmp_path: Path) -> None:
    march = write(tmp_path / "march.jsonl", ROWS)
    april = [{**each, "text": f"april {number}", "author": f"new {number % 25}"} for number, each in enumerate(ROWS)]
    task = read_task(march, ReadSettings(group="author", test=write(tmp_path / "april.jsonl", april)))
    assert not set(groups_of(task)[task.train]) & set(groups_of(task)[task.test])
    april[0]["author"] = "author 3"
    with pytest.raises(BadInput, match="1 of its 26 groups by 'author' are in another file too: 'author 3'"):
        read_task(march, ReadSettings(group="author", test=write(tmp_path / "april.jsonl", april)))
    without = [{name: cell for name, cell in each.items() if name != "author"} for each in april]
    with pytest.raises(BadInput, match="the test file has no column 'author'"):
        read_task(march, ReadSettings(group="author", test=write(tmp_path / "april.jsonl", without)))


def test_a_group_named_as_missing_is_told(tmp_path: Path) -> None:
    rows = [{**each, "author": "NA"} if number % 6 == 1 else each for number, each in enumerate(ROWS)]
    text = told(task_of(tmp_path, rows, group="author", folds=5), "warning.unnamed_groups")
    assert text.startswith("'NA' (40 rows) in 'author' counts as one group")
    assert not told(task_of(tmp_path, ROWS, group="author", folds=5), "warning.unnamed_groups")


def test_no_number_of_seeds_is_offered_that_would_be_refused(tmp_path: Path) -> None:
    rows = [{**each, "author": f"a{number % 2}"} for number, each in enumerate(ROWS)]
    with pytest.raises(BadInput) as error:
        task_of(tmp_path, rows, group="author", folds=5)
    assert error.value.mend == "give --seeds 2, or name another column with --group"
