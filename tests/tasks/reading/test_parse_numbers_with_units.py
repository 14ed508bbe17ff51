"""Amounts as people write them, and what looks like one."""

from pathlib import Path

import pytest
from tests.tasks.reading.rows import reviews, task_of

from wordworth.tasks.reading.parse_numbers_with_units import amounts, first_in_another_notation


@pytest.mark.parametrize(
    ("values", "kind"), [((1, 2, 3), "classification"), (tuple(n / 4 for n in range(20)), "regression")]
)
def test_whole_numbers_are_classes_and_decimals_amounts(tmp_path: Path, values: tuple[float, ...], kind: str) -> None:
    assert task_of(tmp_path, reviews(labels=values)).kind == kind


def test_prices_with_a_currency_and_thousands_apart_are_amounts(tmp_path: Path) -> None:
    prices = [f"${1_000 + 37 * n:,}.50" for n in range(60)]
    task = task_of(
        tmp_path, [{"text": row["text"], "price": price} for row, price in zip(reviews(), prices, strict=True)]
    )
    assert task.kind == "regression"
    assert sorted(task.labels)[:2] == [1000.5, 1037.5]
    said = next(finding.text for finding in task.warnings if finding.name == "method.task")
    assert "such as '$1,000.50' read as 1000.5" in said


def test_amounts_with_a_decimal_comma_are_read_where_every_row_is_written_so(tmp_path: Path) -> None:
    rows = [row | {"label": f"{n % 9},{n % 7}"} for n, row in enumerate(reviews())]
    assert task_of(tmp_path, rows, kind="regression").labels[10] == 1.3


def test_course_codes_and_numbered_names_are_classes(tmp_path: Path) -> None:
    for name in ("LAW 10{}", "#{}", "1.2.{}"):
        assert task_of(tmp_path, reviews(120, tuple(name.format(n) for n in range(12)))).kind == "classification"


@pytest.mark.parametrize(
    ("cells", "row"),
    [(["12,5", "3.2"], 1), (["1", "3.2", "12,5"], 2), (["9,305", "12,5", "3.2"], 2)],
)
def test_the_first_cell_in_another_notation_is_found(cells, row):
    assert amounts(cells) is None
    assert first_in_another_notation(cells) == row
