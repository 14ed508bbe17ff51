import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inference.tuned_model import BRIEF
from tests.tasks.reading.test_question_files import lines

from wordworth.inference.predict import predict
from wordworth.inference.prediction_files import AnswerRow, Layout, free_name, write_answers
from wordworth.studies.finetune import finetune
from wordworth.tasks import task_types
from wordworth.testing.sample_tasks import sample_task
from wordworth.text.file_formats.read import read_rows, require_writable


@pytest.fixture(scope="module")
def reviews(encoder, tmp_path_factory):
    """A model of film reviews, and the file that it learned from."""
    folder = tmp_path_factory.mktemp("reviews")
    rows = [
        {"key": f"k{at}", "text": f"{'good' if at % 2 else 'bad'} film {at}", "label": "+-"[at % 2]} for at in range(60)
    ]
    data = lines(folder / "reviews.jsonl", [*rows[:59], rows[59] | {"late": "x"}])
    finetune(data=data, text="text", label="label", model=encoder, out=folder / "run", **BRIEF)
    return folder / "run", data


def test_a_csv_of_answers_has_the_columns_of_the_file_asked_about_and_plain_cells(reviews, tmp_path):
    run, data = reviews
    predict(run, data, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        *("key", "text", "label", "late", "row", "prediction", "probability_+", "probability_-"),
    ]
    assert [row["row"] for row in rows] == [str(number) for number in range(60)]
    assert {row["prediction"] for row in rows} <= {"+", "-"}
    assert rows[3]["key"] == "k3"
    assert rows[59]["late"] == "x"
    assert all(float(row["probability_+"]) + float(row["probability_-"]) == pytest.approx(1, abs=1e-3) for row in rows)


def test_a_parquet_of_answers_holds_what_the_csv_does_with_numbers_as_numbers(reviews, tmp_path):
    from pyarrow import parquet

    run, data = reviews
    for suffix in ("csv", "parquet"):
        predict(run, data, tmp_path / f"out.{suffix}")
    csv_columns, parquet_columns = (read_rows(tmp_path / f"out.{suffix}").columns for suffix in ("csv", "parquet"))
    assert csv_columns == parquet_columns
    schema = parquet.read_schema(tmp_path / "out.parquet")
    assert {str(schema.field(name).type) for name in ("probability_+", "probability_-")} == {"double"}


def test_json_lines_have_the_columns_of_a_table_of_answers(reviews, tmp_path):
    rows = lines(tmp_path / "in.jsonl", [{"text": "good film", "prediction": "theirs"}, {"text": "bad", "id": "b"}])
    for suffix in ("csv", "jsonl"):
        predict(reviews[0], rows, tmp_path / f"out.{suffix}", dtype="float32")
    with (tmp_path / "out.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    columns = ["row", "prediction_", "probability_+", "probability_-"]
    assert [name for name in table[0] if name not in ("text", "prediction", "id")] == columns
    assert list(answers[0]) == ["id", "label", "probabilities", *columns, "input"]
    assert [[str(answer[name]) for name in columns] for answer in answers] == [
        [row[name] for name in columns] for row in table
    ]
    for answer in answers:
        assert (answer["prediction_"], answer["probability_+"]) == (answer["label"], answer["probabilities"]["+"])


def test_a_row_without_a_text_has_empty_cells_and_columns_of_one_name_are_kept_apart(reviews, tmp_path):
    input_file = lines(
        tmp_path / "in.jsonl", [{"text": "", "prediction": "theirs"}, {"text": "good", "prediction": "x"}]
    )
    for suffix in ("csv", "parquet"):
        assert predict(reviews[0], input_file, tmp_path / f"out.{suffix}").rows == 2
        columns = read_rows(tmp_path / f"out.{suffix}").columns
        assert columns["prediction"] == ["theirs", "x"]
        assert columns["prediction_"][0] == columns["probability_+"][0] == ""
        assert columns["prediction_"][1] in {"+", "-"}


@pytest.mark.parametrize(("kind", "row", "cell"), [
    ("regression", {"text": "good film"}, float),
    ("multilabel", {"text": "good film"}, json.loads),
    ("choice", {"context": "good film", "options": ["good", "bad"]}, int),
    ("tags", {"text": "good film"}, json.loads),
    ("span", {"question": "what was it?", "context": "the film was good"}, str),
])  # fmt: skip
def test_answers_of_every_kind_go_into_tables(encoder, tmp_path, kind, row, cell):
    finetune(sample_task(kind), model=encoder, out=tmp_path / "run", **BRIEF)
    input_file = lines(tmp_path / "in.jsonl", [row])
    for suffix in ("csv", "parquet"):
        predict(tmp_path / "run", input_file, tmp_path / f"out.{suffix}")
        columns = read_rows(tmp_path / f"out.{suffix}").columns
        assert columns["row"] == ["0"]
        cell(columns["prediction"][0])
        assert not [name for name, cells in columns.items() if cells[0].startswith("{")]


def layout(kind, classes=(), input_columns=("text",), **more):
    return Layout(task_types.get(kind), classes, input_columns, **more)


@given(
    name=st.sampled_from(["row", "label", "row_", ""]),
    taken=st.lists(st.sampled_from(["row", "row_", "row__", "label"])),
)
def test_a_free_name_is_the_name_with_as_few_underscores_as_it_takes(name, taken):
    tried = [name + "_" * number for number in range(6)]
    assert free_name(name, taken) == next(csv_columns for csv_columns in tried if csv_columns not in taken)


def test_a_row_of_the_table_has_the_cells_of_the_input_and_the_values_of_its_answer():
    answer = {"label": "+", "probabilities": {"+": 0.75, "-": 0.25}}
    columns = layout("classification", ("+", "-"), ("text", "prediction", "late"))
    assert columns.values(AnswerRow({"text": "good", "prediction": "theirs"}, 4, answer)) == {
        "text": "good", "prediction": "theirs", "late": "", "row": 4, "prediction_": "+", "probability_+": 0.75,
        "probability_-": 0.25,
    }  # fmt: skip
    assert list(columns.columns) == list(columns.values(AnswerRow({}, 0, answer)))
    assert columns.columns["probability_+"] == "number"


def test_a_row_without_a_text_has_no_probabilities():
    columns = layout("classification", ("+", "-"))
    values = columns.values(AnswerRow({"text": ""}, 0, {"label": None, "probabilities": None}))
    assert values == {"text": "", "row": 0, "prediction": None, "probability_+": None, "probability_-": None}


@pytest.mark.parametrize("has_no_answer", [False, True])
def test_the_probability_that_a_question_has_no_answer_stands_where_the_model_predicts_it(has_no_answer):
    names = layout("question_answering", has_no_answer=has_no_answer).column_of_value
    assert ("no_answer" in names) == has_no_answer
    assert names["answer"] == "prediction"


def test_words_that_were_split_from_a_text_stand_beside_their_tags():
    assert "words" in layout("tagging", ("O",)).column_of_value
    assert "words" not in layout("tagging", ("O",), ("words",)).column_of_value
    assert list(layout("tagging", ("O",)).answer_columns) == ["words", "tags"]


def test_an_answer_in_json_lines_is_named_by_the_rows_id_or_else_by_its_number(tmp_path):
    rows = [AnswerRow({"text": "a", "id": "x"}, 0, {"value": 1.5}), AnswerRow({"text": "b"}, 1, {"value": 2.0})]
    out = tmp_path / "out.jsonl"
    assert write_answers(out, iter(rows), layout("regression"), require_writable(out)) == 2
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["x", 1]
