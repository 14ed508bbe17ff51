"""Whatever takes the path of a table takes a table in memory too, and says and records the same of it."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.cli.terminal import reviews
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput

QUICK = {"models": "none", "rungs": ["majority", "tfidf"], "quick": True, "seeds": 2, "draws": 100}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return pd.read_csv(reviews(tmp_path_factory.mktemp("reviews") / "reviews.csv"))


@pytest.fixture(scope="module")
def record(rows):
    return ww.worth(rows, **QUICK)


def test_worth_records_the_content_of_a_table(rows, record):
    (source,) = record.data["sources"]
    assert source["rows"] == len(rows)
    assert source["path"] == record.data["name"] == "the table"
    json.loads(record.to_json())


def test_the_same_rows_give_the_same_record_whatever_holds_them(rows, record):
    again = ww.worth((list(rows["text"]), list(rows["label"])), **QUICK)
    assert [finding.text for finding in again.findings] == [finding.text for finding in record.findings]
    assert again.data == record.data


@pytest.mark.slow
def test_worth_takes_a_table_of_polars(rows, record):
    again = ww.worth(pl.from_pandas(rows), **QUICK)
    assert again.data == record.data
    halves = ww.worth(pl.from_pandas(rows[:110]), test=pl.from_pandas(rows[110:]), **QUICK)
    assert [source["rows"] for source in halves.data["sources"]] == [110, 50]


def test_finetune_predict_and_embed_take_tables_of_polars(rows, tmp_path):
    encoder = write_tiny_encoder(tmp_path / "tiny")
    brief = {"restarts": 1, "learning_rate": 3e-3, "epochs": 1, "processes": 1, "model": str(encoder)}
    table = pl.from_pandas(rows)
    record = ww.finetune(data=table[:100], dev=table[100:130], test=table[130:], out=tmp_path / "run", **brief)
    assert [source["path"] for source in record.data["sources"]] == ["the table", "the test table", "the dev table"]
    asked = table[:5].with_columns(text=pl.when(pl.int_range(5) == 2).then(None).otherwise(pl.col("text")))
    answers = ww.predict(tmp_path / "run", asked)
    assert answers["prediction"].isna().tolist() == [False, False, True, False, False]
    column = ww.load_run(tmp_path / "run").predict(table["text"][:5])
    assert answers["prediction"][0] == column["prediction"][0]
    vectors = ww.embed(table["text"], model=str(encoder), dtype="float32")
    assert np.array_equal(vectors, ww.embed(rows, model=str(encoder), dtype="float32"))
    assert ww.embed(table, tmp_path / "v.parquet", model=str(encoder)).rows == len(rows)


def test_a_test_table_is_recorded_by_its_name(rows):
    train, test = rows[:110], pa.Table.from_pandas(rows[110:], preserve_index=False)
    record = ww.worth(train, test=test, **QUICK)
    assert [source["rows"] for source in record.data["sources"]] == [110, 50]
    assert [source["path"] for source in record.data["sources"]] == ["the table", "the test table"]
    assert str(record.settings["test"]) == "the test table"


def test_the_page_calls_a_table_as_the_caller_does(rows):
    rows = rows.copy()
    rows.attrs["name"] = "film reviews"
    record = ww.worth(rows, **QUICK)
    assert record.data["name"] == "film reviews"
    assert "film reviews" in str(ww.report(record))


def test_a_table_without_the_column_is_refused_as_a_file_is(rows, tmp_path):
    rows.to_csv(tmp_path / "rows.csv", index=False)
    said = []
    for data in (rows, tmp_path / "rows.csv"):
        with pytest.raises(BadInput) as refused:
            ww.worth(data, label="lable")
        said.append((refused.value.what, refused.value.mend))
    assert said[0] == said[1]


def test_evaluate_takes_labels_and_predictions_in_memory():
    gold = pd.DataFrame({"id": ["a", "b", "c"], "label": ["x", "y", "x"]})
    predictions = [{"id": "c", "prediction": "x"}, {"id": "a", "prediction": "y"}, {"id": "b", "prediction": "y"}]
    scores = ww.evaluate(gold, predictions, metric="accuracy").table("scores")
    assert scores["score"][0] == pytest.approx(200 / 3, abs=0.1) or scores["score"][0] == pytest.approx(2 / 3, abs=0.01)
    both = gold.assign(prediction=["y", "y", "x"])
    assert ww.evaluate(both, metric="accuracy").table("scores")["score"][0] == scores["score"][0]


def test_finetune_takes_data_dev_and_test_in_memory(rows, tmp_path):
    encoder = write_tiny_encoder(tmp_path / "tiny")
    brief = {"restarts": 1, "learning_rate": 3e-3, "epochs": 1, "processes": 1, "model": str(encoder)}
    record = ww.finetune(data=rows[:100], dev=rows[100:130], test=rows[130:], out=tmp_path / "run", **brief)
    assert [source["rows"] for source in record.data["sources"]] == [100, 30, 30]
    answers = ww.load_run(tmp_path / "run").predict(rows["text"][:3])
    assert set(answers["prediction"]) <= {"good", "bad"}


WORDS = ["the", "cab", "bank", "river", "was", "left", "old", "near", "stone", "light", "water", "ran"]


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    """A static table with a vector for each word."""
    path = tmp_path_factory.mktemp("static") / "table.txt"
    path.write_text("".join(f"{word} {row}.0 1.0\n" for row, word in enumerate(WORDS)))
    return str(path)


def test_study_context_takes_sentences_in_memory(static, tmp_path):
    draw = np.random.default_rng(0)
    sentences = [" ".join(draw.choice(WORDS, 6)) for _ in range(60)]
    (tmp_path / "sentences.txt").write_text("\n".join(sentences) + "\n")
    choices = {"models": static, "draws": 100, "explorer": 0}
    memory, file = ww.study_context(sentences, **choices), ww.study_context(tmp_path / "sentences.txt", **choices)
    assert memory.table("layers").equals(file.table("layers"))
