"""The user's costs of confusions: what is read, and every file that cannot be used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task

from wordworth.errors import BadInput
from wordworth.studies.worth.confusion_costs import (
    CONFUSION_COSTS,
    ConfusionCosts,
    confusion_costs_table,
    read_confusion_costs,
    require_one_class,
)
from wordworth.studies.worth.settings import ReadSettings, WorthSettings

HEAD = "true,predicted,cost\n"
TWO = "class 0,class 1,1\nclass 1,class 0,20.5\n"


def written(folder, content, name="costs.csv"):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def matrix(folder, content, classes=2, name="costs.csv"):
    return ConfusionCosts.read(written(folder, content, name)).matrix(task(60, classes=classes)).tolist()


def test_each_pair_has_its_cost_and_a_right_answer_costs_nothing(tmp_path):
    assert matrix(tmp_path, HEAD + TWO) == [[0, 1], [20.5, 0]]


def test_a_right_answer_may_cost_something_and_further_columns_and_spaces_are_ignored(tmp_path):
    rows = "why,true,cost,predicted\nread, class 1 ,5,class 1\n-,class 1,20,class 0\n-,class 0,5,class 1\n"
    assert matrix(tmp_path, rows) == [[0, 5], [20, 5]]


def test_json_lines_are_read_too(tmp_path):
    rows = (
        '{"true": "class 0", "predicted": "class 1", "cost": 1}\n{"true": "class 1", "predicted": "class 0", "cost": 2}'
    )
    assert matrix(tmp_path, rows, name="costs.jsonl") == [[0, 1], [2, 0]]


def test_a_class_may_be_spelt_as_another_program_writes_it(tmp_path):
    given = ConfusionCosts.read(written(tmp_path, HEAD + "1,0,3\n0.0,1.0,4\n"))
    assert given.matrix(replace(task(60), classes=("0", "1"))).tolist() == [[0, 4], [3, 0]]
    assert given.matrix(replace(task(60), classes=("0.0", "1"))).tolist() == [[0, 4], [3, 0]]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "costs.csv: the file is empty"),
        (HEAD, "costs.csv: the file has a header but no rows"),
        ("true,predicted\nclass 0,class 1\n", "costs.csv: column 'cost' not found"),
        ("gold,predicted,cost\n" + TWO, "costs.csv: column 'true' not found"),
        (
            HEAD + "class 0,class 1,much\n",
            "costs.csv, line 2: the cost 'much' is not a number; give what one such text",
        ),
        (HEAD + "class 0,class 1,\n", "costs.csv, line 2: the cost '' is not a number"),
        (HEAD + "class 0,class 1,-1\n", "costs.csv, line 2: the cost '-1' is out of range"),
        (HEAD + "class 0,class 1,nan\n", "costs.csv, line 2: the cost 'nan' is out of range"),
        (HEAD + "class 0,class 1,inf\n", "costs.csv, line 2: the cost 'inf' is out of range"),
        (HEAD + "class 0,class 1,2e12\n", "costs.csv, line 2: the cost '2e12' is out of range"),
        (HEAD + TWO + "class 7,class 1,1\n", "costs.csv, line 4: no training row has the class 'class 7'"),
        (HEAD + TWO + ",class 1,1\n", "costs.csv, line 4: no training row has the class ''"),
        (HEAD + TWO + "class 0,class 1,3\n", "costs.csv, line 4: a second cost of true 'class 0' predicted 'class 1'"),
        (HEAD + "class 1,class 0,1\n", "costs.csv: no cost of true 'class 0' predicted 'class 1'; give every pair"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_error(tmp_path, content, says):
    with pytest.raises(BadInput) as refused:
        matrix(tmp_path, content)
    assert says in str(refused.value)


def test_missing_pairs_are_counted(tmp_path):
    says = "no cost of true 'class 0' predicted 'class 2' and 3 more pairs of classes"
    with pytest.raises(BadInput, match=says):
        matrix(tmp_path, HEAD + TWO, classes=3)


@pytest.mark.parametrize("kind", ["regression", "multilabel", "tagging"])
def test_tasks_without_one_class_a_row_are_refused_before_any_file_is_read(kind):
    says = f"`costs`: costs are of confusions where each row has one class, not of a task of kind {kind}; leave it out"
    with pytest.raises(BadInput, match=says):
        read_confusion_costs(ReadSettings(kind=kind), WorthSettings(costs="no such file.csv"))


@pytest.mark.parametrize("kind", ["classification", "pair_classification"])
def test_texts_and_pairs_of_one_class_are_taken(kind):
    require_one_class(kind)


def test_a_kind_that_was_guessed_is_refused_too(tmp_path):
    made = task(60)
    values = replace(made, kind="regression", labels=made.labels.astype(float), classes=(), metric="r2")
    with pytest.raises(BadInput, match="not of a task of kind regression"):
        ConfusionCosts.read(written(tmp_path, HEAD + TWO)).matrix(values)


def test_without_a_file_there_are_no_costs():
    assert read_confusion_costs(ReadSettings(), WorthSettings()) is None


def test_the_table_of_the_record_has_every_pair():
    table = confusion_costs_table(np.array([[0.0, 1.0], [20.0, 2.0]]), ("a", "b"))
    assert [tuple(row.values()) for row in table.rows()] == [
        ("a", "a", 0),
        ("a", "b", 1),
        ("b", "a", 20),
        ("b", "b", 2),
    ]
    assert list(table.describe) == list(CONFUSION_COSTS)
