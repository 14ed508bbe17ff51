"""From a file to a task: which columns, which kind, which split, which metric."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[3] / "shared" / "data"))


def write(path: Path, rows: list[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def task_of(tmp_path: Path, rows: list[Mapping[str, Any]], **settings: Any) -> Task:
    return read_task(write(tmp_path / "rows.jsonl", rows), ReadSettings(**settings))


def warnings(task: Task) -> set[str]:
    return {finding.name for finding in task.warnings if finding.name.startswith("warning.")}


def reviews(n: int = 60, labels: tuple[Any, ...] = ("bad", "good")) -> list[dict[str, Any]]:
    return [{"text": f"review {n} of thing {n * 7919}", "label": labels[n % len(labels)]} for n in range(n)]


def test_a_file_becomes_a_task_with_everything_a_study_needs(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(), text="text", label="label")
    assert (task.kind, task.classes, task.metric) == ("classification", ("bad", "good"), "accuracy")
    assert (len(task.train), len(task.test)) == (36, 24)
    assert not set(task.train) & set(task.test)
    assert task.origins[0].rows == 60
    assert len(task.origins[0].sha256) == 64
    assert [task.classes[label] for label in task.labels[:4]] == ["bad", "good", "bad", "good"]
    assert task.examples.first[3] == "review 3 of thing 23757"
    assert task.numbers.tolist() == list(range(60))
    assert warnings(task) == set()


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


def test_where_accuracy_is_taken_it_is_said_what_a_constant_answer_would_score(tmp_path: Path) -> None:
    rows = [dict(row, label="yes" if n % 3 else "no") for n, row in enumerate(reviews())]
    said = next(finding for finding in task_of(tmp_path, rows).warnings if finding.name == "method.metric")
    assert said.text.endswith(
        "under the 75 % from which macro F1 is used; always predicting that class would score about 67."
    )


@pytest.mark.parametrize(
    ("values", "kind"), [((1, 2, 3), "classification"), (tuple(n / 4 for n in range(20)), "regression")]
)
def test_whole_numbers_are_classes_and_decimals_amounts(tmp_path: Path, values: tuple[float, ...], kind: str) -> None:
    assert task_of(tmp_path, reviews(labels=values)).kind == kind


@pytest.mark.parametrize("kind", ["multiple_choice", "question_answering"])
def test_kinds_that_the_ladder_has_no_rungs_for_are_refused_with_the_command_that_learns_them(
    tmp_path: Path, kind: str
) -> None:
    with pytest.raises(
        BadInput, match=f"can learn a task of kind {kind}; fine-tune .*finetune --data FILE --kind {kind}"
    ):
        task_of(tmp_path, reviews(), kind=kind)


def test_the_kind_can_be_named(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(labels=(1, 2, 10)), kind="regression")
    assert task.labels.dtype == np.float64
    assert (task.kind, task.metric, task.classes) == ("regression", "spearman", ())
    assert task_of(tmp_path, reviews(labels=(1, 2, 10))).classes == ("1", "2", "10")


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


def test_two_texts_make_pairs_of_classes_or_of_amounts(tmp_path: Path) -> None:
    rows = [
        {"premise": f"a {n}", "hypothesis": f"b {n}", "label": ("yes", "no")[n % 2], "score": n / 9} for n in range(60)
    ]
    task = task_of(tmp_path, rows)
    assert (task.kind, task.examples.second[1]) == ("pair_classification", "b 1")
    assert task_of(tmp_path, rows, label="score").kind == "regression"


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


def test_uneven_classes_are_measured_by_macro_f1(tmp_path: Path) -> None:
    assert task_of(tmp_path, reviews(labels=("a", "a", "a", "a", "b"))).metric == "macro_f1"
    assert task_of(tmp_path, reviews(labels=("a", "a", "b"))).metric == "accuracy"


def test_a_metric_of_one_class_can_be_named(tmp_path: Path) -> None:
    assert task_of(tmp_path, reviews(), metric="f1:good").metric == "f1:good"


def test_the_same_seed_gives_the_same_split_and_another_seed_another(tmp_path: Path) -> None:
    first, again, other = (task_of(tmp_path, reviews(), seed=seed) for seed in (0, 0, 1))
    assert first.test.tolist() == again.test.tolist() != other.test.tolist()


def test_a_test_file_is_tested_on_whole(tmp_path: Path) -> None:
    april = write(
        tmp_path / "april.jsonl", [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(30)]
    )
    task = task_of(tmp_path, reviews(), test=str(april))
    assert (len(task.train), len(task.test)) == (60, 30)
    assert {task.examples.first[row][:5] for row in task.test} == {"april"}
    assert [origin.rows for origin in task.origins] == [60, 30]


def test_a_share_to_test_on_is_taken_as_it_is(tmp_path: Path) -> None:
    assert len(task_of(tmp_path, reviews(200), test="0.1").test) == 20
    assert len(task_of(tmp_path, reviews(), test=0.5).test) == 30
    for nearly in ("0.2x", "20%", "0,2"):
        with pytest.raises(BadInput, match="not a share of the rows"):
            task_of(tmp_path, reviews(), test=nearly)


def test_rare_test_rows_of_a_class_never_learned_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(39)] + [
        {"text": "x", "label": "ugly"}
    ]
    task = task_of(tmp_path, reviews(), test=str(write(tmp_path / "april.jsonl", rows)))
    assert (len(task.test), task.classes) == (39, ("bad", "good"))
    finding = next(finding for finding in task.warnings if finding.name == "warning.unseen_classes")
    assert finding.numbers == {"rows": 1, "test": 40, "classes": ["ugly"]}
    assert task.labels.min() == 0


def test_a_limit_draws_rows_by_class_and_says_so(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(400, ("a", "a", "a", "b")), limit=100)
    assert len(task.examples) == len(task.train) + len(task.test) == 100
    assert np.bincount(task.labels).tolist() == [75, 25]
    assert task.examples.first[0] == f"review {task.numbers[0]} of thing {task.numbers[0] * 7919}"
    assert "warning.limit" in warnings(task)


def april(tmp_path: Path, count: int) -> str:
    rows = [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(count)]
    return str(write(tmp_path / "april.jsonl", rows))


def test_a_limit_is_of_the_labels_and_a_test_file_is_read_whole(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(400), test=april(tmp_path, 300), limit=100)
    assert (len(task.train), len(task.test)) == (100, 300)
    assert "warning.test_rows" not in warnings(task)


def test_a_test_file_without_end_is_thinned_and_its_price_is_said(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("wordworth.tasks.reading.split.MOST_TESTED", 100)
    task = task_of(tmp_path, reviews(400), test=april(tmp_path, 400))
    assert (len(task.train), len(task.test)) == (400, 100)
    finding = next(finding for finding in task.warnings if finding.name == "warning.test_rows")
    assert finding.numbers == {"used": 100, "file_rows": 400, "wider": 2.0}
    assert "2.0 times as wide" in finding.text


def test_a_class_with_one_example_stays_in_training_and_is_told(tmp_path: Path) -> None:
    task = task_of(tmp_path, [*reviews(), {"text": "lonely", "label": "rare"}])
    assert 60 in task.train
    finding = next(finding for finding in task.warnings if finding.name == "warning.rare_classes")
    assert finding.numbers == {"classes": {"rare": 1}}


SETS = {
    "trec": ("trec/train.csv.xz", "trec/test.csv", "classification", 6, 5452, 500, "accuracy"),
    "mr": ("mr/all.csv.xz", None, "classification", 2, 7996, 2666, "accuracy"),
    "stsb": ("stsb/train.csv.xz", "stsb/test.csv", "regression", 0, 5749, 1379, "spearman"),
    "mrpc": ("mrpc/train.csv.xz", "mrpc/test.csv.xz", "pair_classification", 2, 4076, 1725, "accuracy"),
    "goemotions": ("goemotions/train.csv.xz", "goemotions/test.csv.xz", "multilabel", 28, 43410, 5427, "micro_f1"),
    "conll2003": ("conll2003/eng.train.xz", "conll2003/eng.testa.xz", "tagging", 9, 14041, 3250, "entity_f1"),
    "sms_spam": ("sms_spam/all.csv.xz", None, "classification", 2, 4192, 1382, "macro_f1"),
    "hate_offensive": ("hate_offensive/all.csv.xz", None, "classification", 3, 18587, 6196, "macro_f1"),
    "ag_news": ("ag_news/train_sample.csv.xz", "ag_news/test.csv.xz", "classification", 4, 10001, 7600, "accuracy"),
}


LARGE = {"goemotions", "conll2003", "hate_offensive", "ag_news"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in SETS]
)
def test_real_sets_are_read_as_what_they_are(name: str) -> None:
    train, test, *wanted = SETS[name]
    if not (DATA / train).exists():
        pytest.skip(f"{DATA / train} is not here: set WORDWORTH_DATA to the folder of the data sets")
    task = read_task(DATA / train, ReadSettings(test=str(DATA / test) if test else None))
    assert [task.kind, len(task.classes), len(task.train), len(task.test), task.metric] == wanted


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


def test_rows_without_a_label_can_be_left_out_and_keep_their_numbers(tmp_path: Path) -> None:
    rows = [row | ({"label": ""} if n % 3 == 1 else {}) for n, row in enumerate(reviews(90))]
    task = task_of(tmp_path, rows, skip_unusable=True)
    assert len(task.examples) == 60
    assert task.numbers.tolist() == [n for n in range(90) if n % 3 != 1]
    assert task.origins[0].rows == 90
    said = next(finding for finding in task.warnings if finding.name == "warning.unlabelled")
    assert "30 of 90 rows have no label and are left out (rows.jsonl, lines 2, 5, 8" in said.text


def test_a_later_month_with_many_rows_of_a_new_class_can_be_tested_on_without_them(tmp_path: Path) -> None:
    later = write(tmp_path / "later.jsonl", [{"text": f"later {n}", "label": ["bad", "new"][n % 2]} for n in range(60)])
    task = task_of(tmp_path, reviews(), test=str(later), skip_unusable=True)
    assert len(task.test) == 30
    assert task.classes == ("bad", "good")
    said = next(finding for finding in task.warnings if finding.name == "warning.unseen_classes")
    assert said.numbers["rows"] == 30


def test_a_limit_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'x' is not a number of rows; give a whole number"):
        task_of(tmp_path, reviews(), limit="x")
