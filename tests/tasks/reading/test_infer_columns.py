"""Which column is the text and which the label, where nobody said so."""

from pathlib import Path
from typing import Any

import pytest
from tests.tasks.reading.rows import reviews, task_of, warnings

from wordworth.errors import BadInput


def test_columns_that_nobody_named_are_told(tmp_path: Path) -> None:
    rows = [{"Sentence": row["text"], "id": n, "Class": row["label"]} for n, row in enumerate(reviews())]
    task = task_of(tmp_path, rows)
    guess = next(finding for finding in task.warnings if finding.name == "method.columns")
    assert guess.numbers == {"text": "Sentence", "label": "Class"}


def test_of_two_columns_the_longer_is_the_text(tmp_path: Path) -> None:
    task = task_of(tmp_path, [{"a": row["label"], "b": row["text"]} for row in reviews()])
    assert task.examples.first[0].startswith("review")


def test_columns_that_nobody_calls_so_are_a_guess_to_be_warned_of(tmp_path: Path) -> None:
    task = task_of(tmp_path, [{"label": row["label"], "b": row["text"]} for row in reviews()])
    guess = next(finding for finding in task.warnings if finding.name == "warning.columns")
    assert guess.text == "Columns were guessed: 'b' as the text, 'label' as the label."


def test_a_further_column_of_texts_is_named_where_the_column_was_guessed(tmp_path: Path) -> None:
    mails = [{**row, "subject": f"a mail of number {n}", "lang": "en", "id": n} for n, row in enumerate(reviews())]
    further = [finding for finding in task_of(tmp_path, mails).warnings if finding.name == "warning.further_texts"]
    assert [finding.numbers for finding in further] == [{"columns": ["subject"]}]
    assert "warning.further_texts" not in warnings(task_of(tmp_path, mails, text="text"))


@pytest.mark.parametrize("role", [{"categories": ("label",)}, {"group": "label"}, {"second_label": "label"}])
@pytest.mark.parametrize("other", ["topic", "lang"])
def test_no_other_column_is_guessed_as_the_label_where_the_one_of_that_name_is_named_for_something_else(
    tmp_path: Path, role: dict[str, Any], other: str
) -> None:
    rows = [{"text": row["text"], "label": row["label"], other: f"t{n % 2}"} for n, row in enumerate(reviews())]
    with pytest.raises(BadInput, match=r"by its name column 'label' holds the labels.*with `label`"):
        task_of(tmp_path, rows, **role)


@pytest.mark.parametrize("other", ["topic", "lang"])
def test_a_column_of_categories_may_be_called_label_where_the_column_of_labels_is_named(
    tmp_path: Path, other: str
) -> None:
    rows = [{"text": row["text"], "label": row["label"], other: f"t{n % 3 % 2}"} for n, row in enumerate(reviews())]
    assert task_of(tmp_path, rows, categories=("label",), label=other).label_columns == (other,)


def test_a_column_of_categories_that_is_less_usual_for_labels_leaves_the_label_alone(tmp_path: Path) -> None:
    rows = [{"text": row["text"], "label": row["label"], "topic": f"t{n % 2}"} for n, row in enumerate(reviews())]
    assert task_of(tmp_path, rows, categories=("topic",)).label_columns == ("label",)


@pytest.mark.parametrize("named", [{}, {"label": "label"}])
def test_a_file_of_labels_alone_has_no_texts(tmp_path: Path, named: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"no column is left for the texts; add a column of texts, such as text"):
        task_of(tmp_path, [{"label": row["label"]} for row in reviews()], **named)


def test_several_columns_of_0_and_1_may_be_several_labels_and_the_refusal_says_how_to_name_them(tmp_path: Path) -> None:
    rows = [{"text": row["text"], "food": n % 2, "the staff": n % 3 % 2} for n, row in enumerate(reviews())]
    with pytest.raises(BadInput, match=r"`label`, several columns of 0 and 1 \(such as 'food' and 'the staff'\) if"):
        task_of(tmp_path, rows)
    with pytest.raises(BadInput, match=r"name it with `label`$"):
        task_of(tmp_path, [{**row, "food": n} for n, row in enumerate(rows)])
