"""Labels of rows: several in a cell, a column each, a tag a word, or none."""

from pathlib import Path

import pytest
from tests.tasks.reading.rows import reviews, task_of

from wordworth.errors import BadInput


@pytest.mark.parametrize("mark", ["|", ";", ",", ", ", "json"])
def test_several_labels_in_a_cell_are_told_apart(tmp_path: Path, mark: str) -> None:
    combined = (["a"], ["b"], ["a", "b"], ["b", "c"], ["c"], ["a", "c"])
    labels = combined if mark == "json" else tuple(mark.join(pieces) for pieces in combined)
    task = task_of(tmp_path, reviews(labels=labels))
    assert (task.kind, task.classes, task.metric) == ("multilabel", ("a", "b", "c"), "micro_f1")
    assert task.labels[:3].tolist() == [[True, False, False], [False, True, False], [True, True, False]]


def test_a_comma_inside_a_class_name_does_not_make_two_labels(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(labels=("Health, Beauty", "Home, Garden", "Sport")))
    assert (task.kind, len(task.classes)) == ("classification", 3)


def test_a_column_a_label_makes_many_labels(tmp_path: Path) -> None:
    rows = [{"text": f"text {n}", "spam": n % 2, "rude": n % 3 == 0} for n in range(60)]
    task = task_of(tmp_path, rows, text="text", label=("spam", "rude"))
    assert (task.kind, task.classes) == ("multilabel", ("spam", "rude"))
    assert task.labels[:2].tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize("form", ["text", "list"])
def test_sentences_with_a_tag_a_word_are_tagging(tmp_path: Path, form: str) -> None:
    sentences = [(["Mr", "Smith", f"of{n}"], ["I-PER", "I-PER", "O"]) for n in range(40)]
    as_cell = " ".join if form == "text" else list
    rows = [{"text": as_cell(words), "tags": as_cell(tags)} for words, tags in sentences]
    task = task_of(tmp_path, rows)
    assert (task.kind, task.metric, task.classes) == ("tagging", "entity_f1", ("O", "B-PER", "I-PER"))
    assert task.examples.words[0] == ("Mr", "Smith", "of0")
    assert task.examples.first[0] == "Mr Smith of0"
    assert task.labels[0].tolist() == [1, 2, 0]


@pytest.mark.parametrize("missing", [None, ""])
@pytest.mark.parametrize(("column", "noun"), [("words", "word"), ("tags", "tag")])
def test_a_missing_word_of_a_list_is_refused_with_its_line(tmp_path, missing, column, noun) -> None:
    rows = [{"words": ["Mr", "Smith", f"of{n}"], "tags": ["O", "I-PER", "O"]} for n in range(40)]
    rows[4][column][1] = missing
    with pytest.raises(BadInput, match=rf"rows.jsonl, line 5: {noun} 2 of 3 is missing"):
        task_of(tmp_path, rows)


def test_a_missing_label_of_a_list_is_no_label(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(labels=(["a"], ["b", None], ["a", "b"], ["b", "c"], ["c"], ["a", "c"])))
    assert task.classes == ("a", "b", "c")
    assert task.labels[1].tolist() == [False, True, False]


def test_rows_without_a_label_can_be_left_out_and_keep_their_numbers(tmp_path: Path) -> None:
    rows = [row | ({"label": ""} if n % 3 == 1 else {}) for n, row in enumerate(reviews(90))]
    task = task_of(tmp_path, rows, skip_unusable=True)
    assert len(task.examples) == 60
    assert task.numbers.tolist() == [n for n in range(90) if n % 3 != 1]
    assert task.origins[0].rows == 90
    said = next(finding for finding in task.warnings if finding.name == "warning.unlabelled")
    assert "30 of 90 rows have no label and are left out (rows.jsonl, lines 2, 5, 8" in said.text


@pytest.mark.parametrize(("option", "name"), [("group", "ungrouped"), ("time", "untimed")])
def test_rows_without_a_group_or_time_can_be_left_out(tmp_path: Path, option: str, name: str) -> None:
    rows = [row | {"where": "" if n == 4 else 1 + n % 30} for n, row in enumerate(reviews(90))]
    task = task_of(tmp_path, rows, skip_unusable=True, **{option: "where"})
    assert task.numbers.tolist() == [n for n in range(90) if n != 4]
    said = next(finding for finding in task.warnings if finding.name == f"warning.{name}")
    assert said.text == "1 of 90 rows has no 'where' and is left out (rows.jsonl, line 5)."
    with pytest.raises(BadInput, match=r"1 of 90 rows has no 'where' .*`skip_unusable`"):
        task_of(tmp_path, rows, **{option: "where"})
