"""Which column is the text and which the label, where nobody said so."""

from pathlib import Path

from tests.tasks.reading.rows import reviews, task_of


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
