"""Which kind of task a file holds, and why."""

import pytest
from tests.tasks.reading.rows import task_of

from wordworth.errors import BadInput


def rows(labels, **more):
    return [{"text": f"a text of number {n}", "label": label, **more} for n, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["good", "bad"] * 20, "classification"),
        ([n / 7 for n in range(40)], "regression"),
        ([1, 2, 3, 4, 5] * 8, "classification"),
        ([0.5, 1.5] * 20, "classification"),
        (["a|b", "b|c", "a|c", "a|b|c"] * 10, "multilabel"),
    ],
    ids=["names", "decimals", "whole numbers", "few decimals", "several in a cell"],
)
def test_the_labels_say_which_kind_it_is(tmp_path, labels, kind):
    assert task_of(tmp_path, rows(labels)).kind == kind


def test_a_decimal_comma_is_not_taken_for_a_separator_of_labels_unasked(tmp_path):
    grades = rows(["1", "1,5", "2", "2,5", "1,2"] * 8)
    with pytest.raises(BadInput, match=r"'1,5' may be one number with a decimal comma, or several labels.*regression"):
        task_of(tmp_path, grades)
    assert task_of(tmp_path, grades, kind="regression").labels[1] == 1.5
    assert task_of(tmp_path, grades, kind="multilabel").classes == ("1", "2", "5")
    assert task_of(tmp_path, rows(["1", "1,2", "1,2,3", "3", "2,3"] * 8)).kind == "multilabel"


def test_two_texts_are_pairs(tmp_path):
    task = task_of(tmp_path, rows(["same", "other"] * 20, text_b="a second text"), text_b="text_b")
    assert task.kind == "pair_classification"


def test_a_kind_that_is_named_must_fit_the_columns(tmp_path):
    with pytest.raises(BadInput, match="takes one text; leave out `text_b`, or use `kind` pair_classification"):
        task_of(tmp_path, rows(["same", "other"] * 20, text_b="x"), kind="classification", text_b="text_b")


def test_columns_that_look_like_a_pair_are_named_where_one_text_is_wanted(tmp_path):
    pairs = [{"text_a": f"a {n}", "text_b": f"b {n}", "label": "same" if n % 2 else "other"} for n in range(40)]
    what = "takes one text, and the columns 'text_a' and 'text_b' look like a pair; name the one.*such as --text text_a"
    with pytest.raises(BadInput, match=what.replace("--text", "`text`")):
        task_of(tmp_path, pairs, kind="classification")
    assert task_of(tmp_path, pairs, kind="classification", text="text_a").examples.second is None


def test_a_tag_for_each_word_is_no_class(tmp_path):
    sentences = [{"words": ["in", f"Rome{n}"], "tags": ["O", "B-LOC" if n % 2 else "O"]} for n in range(40)]
    with pytest.raises(BadInput, match="a tag for each word, and a task of kind classification has one label a row"):
        task_of(tmp_path, sentences, kind="classification")
    one_tag = [{"words": f"film {n}", "tags": "good" if n % 2 else "bad"} for n in range(40)]
    assert task_of(tmp_path, one_tag, kind="classification").classes == ("bad", "good")


def test_labels_of_another_kind_than_the_named_one_are_told_without_a_flag_that_a_command_may_lack(tmp_path):
    with pytest.raises(BadInput, match=r"if the values are amounts, the task is of kind regression$"):
        task_of(tmp_path, rows([n / 7 for n in range(40)]), kind="classification")
    with pytest.raises(BadInput, match=r"if the labels are classes, the task is of kind classification$"):
        task_of(tmp_path, rows(["good", "bad"] * 20), kind="regression")


@pytest.mark.parametrize(("labels", "may_be_amounts"), [("12345", True), ("01", False), ("abc", False)])
def test_grades_that_count_as_classes_are_said_to_be_numbers(tmp_path, labels, may_be_amounts):
    rows = [{"text": f"text {number}", "label": labels[number % len(labels)]} for number in range(60)]
    (told,) = [finding.text for finding in task_of(tmp_path, rows).warnings if finding.name == "method.task"]
    assert ("the kind regression reads it as an amount" in told) == may_be_amounts
