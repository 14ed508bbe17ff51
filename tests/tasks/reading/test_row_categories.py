"""Categories of test rows: several in a cell, of a test file alone, never a text or a label, and refused if useless."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tasks.reading.rows import reviews, write

from wordworth.errors import BadInput
from wordworth.tasks.examples import Category
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.reading.row_categories import ANY
from wordworth.tasks.task import Task


def task_of(tmp_path: Path, cells: list[Any], **settings: Any) -> Task:
    """A task of 60 rows with these cells in the column `kind`."""
    rows = [row | {"kind": cell} for row, cell in zip(reviews(), cells, strict=True)]
    return read_task(write(tmp_path / "rows.jsonl", rows), ReadSettings(**{"categories": ("kind",), **settings}))


def test_a_cell_holds_several_categories_or_none(tmp_path: Path) -> None:
    task = task_of(tmp_path, ["b; a;;a", ["a", "c"], ""] * 20)
    assert task.examples.categories is not None
    assert [category.name for category in task.examples.categories[0]] == ["b", "a", ANY]
    assert task.examples.categories[1] == (Category("kind", "a"), Category("kind", "c"), Category("kind", ANY))
    assert task.examples.categories[2] == ()


def test_where_every_row_has_a_category_there_is_none_of_all(tmp_path: Path) -> None:
    task = task_of(tmp_path, ["a", "b"] * 30)
    assert {category.name for of_row in task.examples.categories or () for category in of_row} == {"a", "b"}


def test_a_column_of_categories_is_taken_for_no_text_label_or_leak(tmp_path: Path) -> None:
    rows = [{"kind": row["label"] + " and longer than every text", "text": row["text"], "y": row["label"]}
            for row in reviews()]  # fmt: skip
    task = read_task(write(tmp_path / "rows.jsonl", rows), ReadSettings(categories=("kind",)))
    assert (task.columns, task.label_columns) == (("text",), ("y",))
    assert not [finding for finding in task.warnings if finding.name == "warning.leak_column"]


def test_the_column_may_be_in_the_test_file_alone(tmp_path: Path) -> None:
    train = write(tmp_path / "train.jsonl", reviews())
    rows = [{"text": f"other {number}", "label": ("bad", "good")[number % 2], "kind": "ab"[number < 30]}
            for number in range(60)]  # fmt: skip
    test = write(tmp_path / "test.jsonl", rows)
    task = read_task(train, ReadSettings(test=str(test), categories=("kind",)))
    assert task.examples.categories is not None
    assert not any(task.examples.categories[row] for row in task.train)
    assert all(task.examples.categories[row] for row in task.test)
    with pytest.raises(BadInput, match=r"test.jsonl: category column 'kinds' not found"):
        read_task(train, ReadSettings(test=str(test), categories=("kinds",)))


@pytest.mark.parametrize(
    ("cells", "categories", "message"),
    [
        (["a", "b"] * 30, ("kinds",), r"category column 'kinds' not found.*did you mean 'kind'"),
        (["a", "b"] * 30, ("kind", "kind"), "column 'kind' cannot serve twice"),
        (["a", "b"] * 30, ("label",), "column 'label' cannot serve twice"),
        ([""] * 60, ("kind",), "no row has a category in 'kind'"),
        (["a"] * 60, ("kind",), "every row has the same category 'a' in 'kind'"),
        ([*["a"] * 12, *[""] * 48], ("kind",), "no category in 'kind' has 30 rows: the largest, 'a', has 12 rows"),
    ],
)
def test_what_no_category_can_be_read_from_is_refused(
    tmp_path: Path, cells: list[str], categories: tuple[str, ...], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        task_of(tmp_path, cells, categories=categories, label="label")
