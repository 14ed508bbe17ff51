"""A second annotator's labels say how far two agree and what score this allows; the task itself stays as it is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score
from tests.tasks.reading.rows import reviews, task_of
from tests.tasks.reading.test_group_column import KINDS

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.tasks.task import Task


def twice(rows: int = 200, differ: int = 5, every: int = 1, **cells: str) -> list[dict[str, Any]]:
    """Reviews of which every so many have a second label, one in `differ` of which is the other class."""
    other = {"bad": "good", "good": "bad"}
    return [
        {
            **row,
            "again": "" if number % every else other[row["label"]] if number % differ == 0 else row["label"],
            **cells,
        }
        for number, row in enumerate(reviews(rows))
    ]


def found(task: Task) -> Finding:
    return next(one for one in task.warnings if one.name == "warning.second_label")


def test_agreement_and_kappa_are_told_with_intervals(tmp_path: Path) -> None:
    rows = twice()
    finding = found(task_of(tmp_path, rows, second_label="again"))
    first, second = ([row[name] for row in rows] for name in ("label", "again"))
    assert finding.numbers["agreement"] == 0.8
    assert finding.numbers["kappa"] == pytest.approx(cohen_kappa_score(first, second))
    assert finding.numbers["kappa_low"] < 0.6 < finding.numbers["kappa_high"]
    assert finding.text.startswith(
        "A second annotator ('again') labelled 200 of 200 rows and gave the same label to 80.0 % of them (95 %: 73."
    )
    assert "Cohen's kappa 0.60 (95 %: 0.4" in finding.text


def test_classes_that_differ_in_their_spelling_alone_keep_their_second_labels(tmp_path: Path) -> None:
    names = ["true", "True", "other"]
    rows = [
        {**row, "label": names[number % 3], "again": names[(number if number % 5 else number + 1) % 3]}
        for number, row in enumerate(reviews(150))
    ]
    finding = found(task_of(tmp_path, rows, second_label="again"))
    assert finding.numbers["agreement"] == 0.8
    first, second = ([row[name] for row in rows] for name in ("label", "again"))
    assert finding.numbers["kappa"] == pytest.approx(cohen_kappa_score(first, second))


def test_the_best_accuracy_that_the_labels_allow_is_told_with_what_it_assumes(tmp_path: Path) -> None:
    text = found(task_of(tmp_path, twice(), second_label="again")).text
    assert "If both label alike and without seeing each other's labels, the best possible accuracy" in text
    assert "lies between 80.0 %, as a second annotator has, and 88.7 %" in text  # (1 + sqrt(0.6)) / 2
    assert text.endswith("Scores and gaps between rungs are not corrected for it.")


def test_by_another_metric_the_second_labels_have_a_score_of_their_own(tmp_path: Path) -> None:
    rows = twice()
    finding = found(task_of(tmp_path, rows, second_label="again", metric="macro_f1"))
    first, second = ([row[name] for row in rows] for name in ("label", "again"))
    assert finding.numbers["score"] == pytest.approx(f1_score(first, second, average="macro"))
    assert "By macro F1 the second labels score 80.0 (95 %: 7" in finding.text


def test_annotators_who_never_differ_on_a_few_rows_do_not_make_the_score_certain(tmp_path: Path) -> None:
    rows = [{**row, "again": row["label"]} for row in reviews(60)]
    numbers = found(task_of(tmp_path, rows, second_label="again", metric="macro_f1")).numbers
    assert numbers["score"] == numbers["score_high"] == 1
    assert 0.9 < numbers["score_low"] < 0.99


def test_a_class_that_one_of_them_gives_more_often_speaks_against_the_bound(tmp_path: Path) -> None:
    rows = [{**row, "again": "bad" if number % 4 < 2 else row["label"]} for number, row in enumerate(reviews(200))]
    text = found(task_of(tmp_path, rows, second_label="again")).text
    assert "They are not alike: 'bad' is 50 % of the labels and 75 % of the second ones" in text
    assert "not alike" not in found(task_of(tmp_path, twice(), second_label="again")).text


def test_some_rows_suffice_and_a_class_of_the_second_annotator_alone_is_a_difference(tmp_path: Path) -> None:
    rows = twice(every=4, differ=1_000)
    for row in rows[:40:4]:
        row["again"] = "neither"
    finding = found(task_of(tmp_path, rows, second_label="again", metric="macro_f1"))
    assert (finding.numbers["rows"], finding.numbers["of"]) == (50, 200)
    assert finding.numbers["agreement"] == 0.8


def test_groups_widen_the_intervals(tmp_path: Path) -> None:
    rows = [{**row, "author": f"a{number // 10}"} for number, row in enumerate(twice())]
    for number, row in enumerate(rows):
        row["again"] = row["label"] if number // 10 % 5 else {"bad": "good", "good": "bad"}[row["label"]]
    narrow, wide = (
        found(task_of(tmp_path, rows, second_label="again", group=group)).numbers for group in (None, "author")
    )
    assert narrow["agreement"] == wide["agreement"] == 0.8
    widths = [numbers["agreement_high"] - numbers["agreement_low"] for numbers in (narrow, wide)]
    assert widths[1] > 2 * widths[0]


def test_the_task_is_the_same_with_second_labels_and_without(tmp_path: Path) -> None:
    rows = twice()
    with_them = task_of(tmp_path, rows, second_label="again", folds=5)
    without = task_of(tmp_path, rows, label="label", folds=5)
    assert all(np.array_equal(a, b) for a, b in zip(with_them.folds, without.folds, strict=True))
    assert np.array_equal(with_them.labels, without.labels)
    names = {finding.name for finding in with_them.warnings}
    assert "warning.leak_column" not in names
    assert not any(finding.name == "warning.second_label" for finding in without.warnings)


@pytest.mark.parametrize("kind", ["regression", "multilabel", "tagging"])
def test_kinds_without_one_class_a_row_are_refused(tmp_path: Path, kind: str) -> None:
    rows = [{**row, "again": row.get("label", row.get("tags"))} for row in KINDS[kind]]
    with pytest.raises(BadInput, match=f"where each row has one class, not in a task of kind {kind}"):
        task_of(tmp_path, rows, second_label="again", kind=kind)


def test_pairs_are_compared_too(tmp_path: Path) -> None:
    rows = [{**row, "again": row["label"]} for row in KINDS["pair_classification"]]
    assert found(task_of(tmp_path, rows, second_label="again")).numbers["agreement"] == 1


@pytest.mark.parametrize(
    ("rows", "settings", "says"),
    [
        (twice(), {"second_label": "agian"}, "second label column 'agian' not found"),
        (twice(every=20), {}, "10 rows have a second label in 'again'"),
        (twice(again="1"), {}, "most labels in 'again' are none of 'bad', 'good'"),
        (twice(), {"second_label": "label", "label": "label"}, "column 'label' cannot serve twice"),
    ],
)
def test_second_labels_that_cannot_be_used_are_refused(
    tmp_path: Path, rows: list[dict[str, Any]], settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        task_of(tmp_path, rows, **{"second_label": "again", **settings})


def test_words_for_a_missing_answer_are_no_class_of_the_second_annotator(tmp_path: Path) -> None:
    rows = twice(differ=10)
    words = ("NA", "?", "n/a", "-")
    for number in range(1, 161, 2):
        rows[number]["again"] = words[number // 2 % 4]
    task = task_of(tmp_path, rows, second_label="again")
    kept = [row for row in rows if row["again"] not in words]
    finding = found(task)
    assert finding.numbers["rows"] == 120
    first, second = ([row[name] for row in kept] for name in ("label", "again"))
    assert finding.numbers["kappa"] == pytest.approx(cohen_kappa_score(first, second))
    missing = next(one for one in task.warnings if one.name == "warning.second_label_missing")
    assert missing.text.startswith("Read as no second label in 'again', as the labels have no such class: 'NA' (20 ro")


def test_such_a_word_is_a_class_of_the_second_annotator_where_it_is_one_of_the_labels(tmp_path: Path) -> None:
    rows = [{key: "none" if cell == "good" else cell for key, cell in row.items()} for row in twice()]
    task = task_of(tmp_path, rows, second_label="again")
    assert found(task).numbers["rows"] == 200
    assert not any(one.name == "warning.second_label_missing" for one in task.warnings)


@pytest.mark.parametrize(("written", "hint"), [("Bad", "; did you mean 'bad'?"), ("xyzzyx", ".")])
def test_classes_that_the_labels_never_have_are_told(tmp_path: Path, written: str, hint: str) -> None:
    rows = twice(differ=1_000)
    for row in rows[:14]:
        row["again"] = written
    task = task_of(tmp_path, rows, second_label="again")
    text = next(one.text for one in task.warnings if one.name == "warning.second_label_classes")
    assert text == (
        "14 second labels are of a class that the labels never have, and so count as different, such as "
        f"{written!r}{hint}"
    )


@pytest.mark.parametrize("cells", [{"bad": "good", "good": "good"}, {"bad": "good", "good": "bad"}])
def test_no_bound_is_told_where_the_two_agree_no_more_than_by_chance(tmp_path: Path, cells: dict[str, str]) -> None:
    rows = [{**row, "again": cells[row["label"]]} for row in reviews(200)]
    finding = found(task_of(tmp_path, rows, second_label="again"))
    assert "no best possible accuracy can be told" in finding.text
    assert "lies between" not in finding.text
    assert "best" not in finding.numbers


def test_a_second_column_that_never_differs_may_be_a_copy(tmp_path: Path) -> None:
    assert (
        "is the second column a copy?"
        in found(task_of(tmp_path, twice(differ=1_000, every=1)[1:], second_label="again")).text
    )
    assert "a copy" not in found(task_of(tmp_path, twice(), second_label="again")).text


def test_a_kappa_below_0_has_the_same_minus_sign_as_its_interval(tmp_path: Path) -> None:
    text = found(task_of(tmp_path, twice(differ=1), second_label="again")).text
    assert "Cohen's kappa −1.00 (95 %: −1.00 to −" in text


def test_the_interval_of_macro_f1_lies_around_the_score_where_classes_are_rare(tmp_path: Path) -> None:
    names = [f"kind {number}" for number in range(30)]
    labels = [names[number] if number < 30 else names[number % 2] for number in range(200)]
    again = [names[(number + 1) % 2] if 2 <= number < 28 else label for number, label in enumerate(labels)]
    rows = [
        {"text": f"review {number} of {label}", "label": label, "again": other}
        for number, (label, other) in enumerate(zip(labels, again, strict=True))
    ]
    numbers = found(task_of(tmp_path, rows, second_label="again", metric="macro_f1")).numbers
    middle = (numbers["score_low"] + numbers["score_high"]) / 2
    assert abs(middle - numbers["score"]) < 0.02
