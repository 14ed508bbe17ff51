"""Scores by category of test rows: a file in which context helps in one category only, and what is left out."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.records import Record
from wordworth.reports import render

ROWS, RARE = 400, 8
CHOICES = {"models": ["none"], "seeds": 3, "draws": 200}


def category(number: int) -> str:
    """The cell of a row: every fourth row is of `order`, the others of `words`, of two categories or of none."""
    if number % 4 == 0:
        return "order"
    return {1: "words; names", 2: "words", 3: ""}[number % 4] if number >= RARE * 4 else "rare;words"


def write_rows(path: Path, numbers: range, **columns: list[str]) -> Path:
    """Rows whose words tell the label, but for those of `order`, whose vectors alone do."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label", *columns])
        for number in numbers:
            word = "so" if number % 4 == 0 else ("good", "bad")[label(number)]
            cells = [cells[number] for cells in columns.values()]
            writer.writerow([f"a {word} film of {number}", ("yes", "no")[label(number)], *cells])
    return path


def label(number: int) -> int:
    return number // 4 % 2


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vector of each row, whose first number tells the label: what a contextual rung reads."""
    noise = np.random.default_rng(0).normal(0, 0.1, (ROWS, 4)).astype(np.float32)
    noise[:, 0] += [2 * label(number) - 1 for number in range(ROWS)]
    path = tmp_path_factory.mktemp("vectors") / "api.npy"
    np.save(path, noise)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cells = [category(number) for number in range(ROWS)]
    return write_rows(tmp_path_factory.mktemp("rows") / "rows.csv", range(ROWS), phenomenon=cells)


@pytest.fixture(scope="module")
def record(file: Path, vectors: Path) -> Record:
    return ww.worth(file, **CHOICES, vectors=[vectors], categories="phenomenon")


def test_context_helps_in_the_one_category_whose_words_say_nothing(record: Record) -> None:
    gaps = record.table("category_gaps").set_index("category")
    assert gaps["answer"]["order"] == "context helps"
    assert gaps["low"]["order"] > 0.2
    assert gaps["answer"]["words"] == gaps["answer"]["names"] == "cannot tell"
    assert gaps["gap"]["words"] == pytest.approx(0, abs=0.02)
    assert set(gaps["contextual"]) == {"api"}
    assert gaps["level"]["order"] == pytest.approx(1 - 0.05 / 4)  # order, words, names and (any)


def test_a_row_counts_in_each_of_its_categories_and_a_row_without_one_in_none(record: Record) -> None:
    cells = [category(number) for number in range(ROWS)]
    rows = record.table("category_gaps").set_index("category")["rows"]
    assert rows["order"] == 100
    assert rows["names"] == sum("names" in cell for cell in cells)
    assert rows["words"] == sum("words" in cell for cell in cells)
    assert rows["(any)"] == sum(map(bool, cells)) < ROWS


def test_every_rung_has_its_score_on_each_category(record: Record) -> None:
    scores = record.table("categories").set_index(["category", "rung"])["score"]
    ladder = record.table("ladder").set_index("rung")
    assert set(scores["order"].index) == set(ladder.index)
    assert scores["order", "tfidf"] < 0.7
    assert scores["order", "api"] > 0.95
    weights = {"order": 100, "rest": 300}
    rest = (ROWS * ladder["score"]["tfidf"] - weights["order"] * scores["order", "tfidf"]) / weights["rest"]
    assert rest == pytest.approx(scores["words", "tfidf"], abs=0.01)


def test_a_category_of_too_few_rows_is_named_and_left_out(record: Record) -> None:
    rare = record.table("category_gaps").set_index("category").loc["rare"]
    assert rare["left_out"] == "24 test rows, and 30 are needed"
    assert "rare" not in set(record.table("categories")["category"])
    assert "Left out: rare (24 test rows, and 30 are needed)." in record.finding("categories").text


def test_the_finding_the_method_and_the_page_say_where_context_helps(record: Record) -> None:
    finding = record.finding("categories")
    assert finding.numbers == {"context helps": 2, "context hurts": 0, "cannot tell": 2}
    assert "context surely helps in 2 of 4, order +" in finding.text
    assert "it cannot tell in 2 of 4, " in finding.text
    assert "leave 5 % to all categories together" in record.finding("method.categories").text
    page = render(record)
    assert "Context surely helps in 2 of 4 categories" in page
    assert "The score of every rung by category" in page


def test_without_a_column_of_categories_a_record_says_nothing_of_them(file: Path) -> None:
    record = ww.worth(file, **CHOICES, rungs=["majority", "tfidf"], text="text", label="label")
    assert not {"categories", "category_gaps"} & record.tables.keys()
    assert "categories" not in record.settings
    assert not [finding for finding in record.findings if "categories" in finding.name]


def test_without_a_rung_with_context_the_scores_stand_alone(file: Path) -> None:
    record = ww.worth(file, **CHOICES, categories=["phenomenon"])
    assert not record.table("category_gaps").size
    assert len(record.table("categories"))
    assert "Where context helps was not tested" in record.finding("categories").text
    assert "Where context helps was not tested" in render(record)


def test_the_categories_of_a_test_file_need_no_column_in_the_training_file(tmp_path: Path) -> None:
    train = write_rows(tmp_path / "train.csv", range(200))
    cells = [category(number) for number in range(ROWS)]
    test = write_rows(tmp_path / "test.csv", range(200, ROWS), phenomenon=cells)
    record = ww.worth(train, **CHOICES, test=test, rungs=["majority", "tfidf"], categories=["phenomenon"])
    scores = record.table("categories").set_index(["category", "rung"])
    assert scores["rows"]["order", "tfidf"] == 50
    assert scores["score"]["order", "tfidf"] < scores["score"]["words", "tfidf"]
    with pytest.raises(BadInput, match=r"test.csv: category column 'topic' not found"):
        ww.worth(train, **CHOICES, test=test, categories=["topic"])


def test_a_metric_that_says_nothing_of_one_label_leaves_the_category_out(tmp_path: Path) -> None:
    cells = ["one" if label(number) else "other" if number % 3 else "" for number in range(ROWS)]
    path = write_rows(tmp_path / "rows.csv", range(ROWS), kind=cells)
    record = ww.worth(path, **CHOICES, rungs=["majority", "tfidf"], categories=["kind"], metric="matthews")
    scored = set(record.table("categories")["category"])
    assert scored == {"(any)"}
    by_class = ww.worth(path, **CHOICES, rungs=["majority", "tfidf"], categories=["kind"], metric="f1:no")
    assert set(by_class.table("categories")["category"]) == {"(any)", "one"}


def test_words_to_tag_and_amounts_are_scored_by_category() -> None:
    sides = [("west", "east")[number % 2] for number in range(120)]
    rows = [
        {"words": ["Ann" if number % 2 else "Bob", "sees", f"w{number}"], "tags": ["B-PER", "O", "O"], "side": side}
        for number, side in enumerate(sides)
    ]
    tagged = ww.worth(rows, **CHOICES, rungs=["majority", "tfidf"], categories=["side"])
    assert set(tagged.table("categories")["category"]) == {"west", "east"}
    amounts = [
        {"text": f"price {'high' if number % 3 else 'low'} {number}", "label": float(number % 3 > 0) + number / 900,
         "side": side}
        for number, side in enumerate(sides)
    ]  # fmt: skip
    of_amounts = ww.worth(amounts, **CHOICES, kind="regression", categories=["side"])
    scores = of_amounts.table("categories").set_index(["category", "rung"])["score"]
    assert scores["west", "tfidf"] > scores["west", "majority"]
    flags = [
        {"text": f"{'late' if number % 3 else 'dear'} {number}", "late": number % 3 > 0, "dear": number % 5 > 0,
         "side": side}
        for number, side in enumerate(sides)
    ]  # fmt: skip
    of_flags = ww.worth(flags, **CHOICES, label=["late", "dear"], categories=["side"])
    assert set(of_flags.table("categories")["category"]) == {"west", "east"}
