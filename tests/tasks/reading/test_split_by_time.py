"""The latest rows are tested on and those before learned from, however the file writes its times."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.tasks.reading.rows import reviews, task_of, write
from tests.tasks.reading.test_group_column import KINDS

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task
from wordworth.text.file_formats.in_memory import as_file

DAYS = [(date(2024, 1, 1) + timedelta(days=number * 37 % 100)).isoformat() for number in range(100)]


def dated(cells: list[Any], **more: Any) -> list[dict[str, Any]]:
    return [{**row, "date": cell, **more} for row, cell in zip(reviews(len(cells)), cells, strict=True)]


def told(task: Task, name: str) -> str:
    return next((one.text for one in task.warnings if one.name == name), "")


WRITTEN: dict[str, list[Any]] = {
    "days": DAYS,
    "times": [f"{day}T{row % 24:02}:30" for row, day in enumerate(DAYS)],
    "zones": [f"{day}T00:00:00+0{row % 10}:00" for row, day in enumerate(DAYS)],
    "stamps": [f"{day} 12:00:00" for day in DAYS],
    "months": [f"20{10 + row % 9}-{1 + row % 12:02}" for row in range(100)],
    "slashes": [day.replace("-", "/") for day in DAYS],
    "slashed times": [day.replace("-", "/") + " 12:00" for day in DAYS],
    "years": [str(1900 + row * 37 % 100) for row in range(100)],
    "numbers": [row * 37 % 100 - 0.5 for row in range(100)],
    "negative": [-row for row in range(100)],
}


@pytest.mark.parametrize("form", WRITTEN)
def test_the_latest_rows_are_tested_on(tmp_path: Path, form: str) -> None:
    cells = WRITTEN[form]
    task = task_of(tmp_path, dated(cells), time="date", test=0.2)
    as_dates = form not in {"years", "numbers", "negative"}
    values = (
        pd.to_datetime(pd.Series(cells).astype(str).str.replace("/", "-"), utc=True, format="ISO8601")
        if as_dates
        else pd.Series(cells, dtype=float)
    )
    assert values[task.train].max() < values[task.test].min()
    assert abs(len(task.test) - 20) <= (8 if form == "months" else 0)
    assert sorted([*task.train, *task.test]) == list(range(100))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_kind_are_split_by_time_even_where_folds_are_asked_for(tmp_path: Path, kind: str) -> None:
    rows = [{**row, "when": number * 7 % 240} for number, row in enumerate(KINDS[kind])]
    task = task_of(tmp_path, rows, time="when", folds=5, kind=kind)
    assert not task.folds
    assert max(number * 7 % 240 for number in task.train) < min(number * 7 % 240 for number in task.test)


def test_rows_of_one_time_are_on_one_side(tmp_path: Path) -> None:
    rows = dated(["2024-01-01"] * 50 + ["2024-01-02"] * 15 + ["2024-01-03"] * 35)
    assert len(task_of(tmp_path, rows, time="date", test=0.4).test) == 35
    assert len(task_of(tmp_path, rows, time="date", test=0.45).test) == 50


def test_the_record_says_which_times_are_learned_from_and_which_are_tested_on(tmp_path: Path) -> None:
    task = task_of(tmp_path, dated(sorted(DAYS)), time="date", test=0.2)
    assert told(task, "warning.time").startswith(
        "Split by 'date': learned from 80 rows of 2024-01-01 to 2024-03-20, tested on the 20 later ones, of 2024-03-21 "
        "to 2024-04-09."
    )
    assert told(task, "method.split") == "80 rows for training and 20 for testing, the latest by 'date'."


def test_a_column_of_times_is_never_taken_for_labels(tmp_path: Path) -> None:
    rows = [{"said": row["text"], "mark": row["label"], "score": number} for number, row in enumerate(reviews(100))]
    assert task_of(tmp_path, rows, time="score").classes == ("bad", "good")


def test_pairs_whose_first_text_is_older_are_counted(tmp_path: Path) -> None:
    rows = [{"text_a": f"question {number % 10}", "text_b": f"answer {number}", "label": "no" if number % 3 else "yes",
             "date": day} for number, day in enumerate(sorted(DAYS))]  # fmt: skip
    assert told(task_of(tmp_path, rows, time="date", test=0.2), "warning.shared_first_texts").startswith("20 of 20")


REFUSED: dict[str, tuple[list[Any], str, str]] = {
    "local": ([*DAYS[:-1], "31.3.2024"], "'date' is '31.3.2024', not a time", "2024-03-31"),
    "word": (["soon", *DAYS[1:]], "'date' is 'soon', not a time", "2024-03-31"),
    "endless": ([*DAYS[:-1], "9" * 400], "'date' is '" + "9" * 59 + ", not a time", "2024-03-31"),
    "infinite": (["inf", *DAYS[1:]], "'date' is 'inf', not a time", "numbers"),
    "impossible": ([*DAYS[:-1], "2024-02-30"], "'date' is '2024-02-30', not a time", "2024-03-31"),
    "mixed": ([*DAYS[:-1], "2024"], "'date' is '2024', a number, where the first row has a date", "in one way"),
    "zones": (
        [*DAYS[:-1], "2024-01-01T10:00Z"],
        "a date and time with a time zone, where the first row has a date",
        "in one way",
    ),
    "month": ([*DAYS[:-1], "2024-02"], "'2024-02', a month, where the first row has a date", "in one way"),
    "time": ([*DAYS[:-1], "2024-02-01T10:00"], "a date and time, where the first row has a date", "in one way"),
    "blank": ([*DAYS[:-2], "", ""], "2 of 100 rows have no 'date' (lines 99, 100)", "--skip-unusable"),
    "constant": (["2024-01-01"] * 100, "every row has the same 'date'", "--time"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_times_that_cannot_be_used_are_refused(tmp_path: Path, case: str) -> None:
    cells, what, mend = REFUSED[case]
    with pytest.raises(BadInput) as error:
        task_of(tmp_path, dated(cells), time="date")
    assert what in error.value.what
    assert mend in error.value.mend


def test_a_column_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="time column 'day' not found"):
        task_of(tmp_path, dated(DAYS), time="day")


def test_time_is_refused_beside_groups_and_beside_a_test_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="`time`: rows are split either by time or by groups"):
        ReadSettings(time="date", group="author")
    with pytest.raises(BadInput, match="`time`: a test file is a split of its own"):
        ReadSettings(time="date", test="april.csv")
    rows = write(tmp_path / "rows.jsonl", dated(DAYS))
    assert len(read_task(rows, ReadSettings(time="date", test="0.25")).test) == 25


def test_many_rows_of_one_time_that_make_the_test_part_far_from_the_wished_size_are_told(tmp_path: Path) -> None:
    tied = task_of(tmp_path, dated(["2024-01-01"] * 20 + ["2024-01-02"] * 180), time="date", test=0.2)
    assert told(tied, "warning.time_ties") == (
        "180 of 200 rows are tested on, where 40 were wished: rows of one 'date' are on one side, and 180 rows are of "
        "2024-01-02."
    )
    assert not told(task_of(tmp_path, dated(sorted(DAYS)), time="date", test=0.2), "warning.time_ties")


@pytest.mark.parametrize(
    ("labels", "test"), [(["bad"] * 50 + ["good"] * 50, 0.6), (["bad", "good"] * 30 + ["new"] * 40, 0.4)]
)
def test_classes_that_only_later_rows_have_are_mended_by_another_share(
    tmp_path: Path, labels: list[str], test: float
) -> None:
    rows = [{**row, "label": label} for row, label in zip(dated(sorted(DAYS)), labels, strict=True)]
    with pytest.raises(BadInput) as error:
        task_of(tmp_path, rows, time="date", test=test)
    assert error.value.mend.startswith("learn from later rows too, with a smaller share for --test")


@pytest.mark.parametrize(("frequency", "shown"), [("M", "2024-01 to 2026-08"), ("Q", "2024Q1 to 2031Q4"),
                                                  ("W", "2024-01-01/2024-01-07 to 2024-08-05/2024-08-11")])  # fmt: skip
def test_periods_of_a_pandas_table_are_split_and_shown_as_text(frequency: str, shown: str) -> None:
    frame = pd.DataFrame(reviews(80))
    frame["when"] = pd.period_range("2024-01-01", periods=40, freq=frequency).repeat(2)
    with as_file(frame) as path:
        task = read_task(path, ReadSettings(time="when", test=0.2))
    assert told(task, "warning.time").startswith(f"Split by 'when': learned from 64 rows of {shown}, tested on")
