"""What counts as a database, and what a table must say of its model."""

import pytest

from wordworth.errors import BadInput
from wordworth.retrieval.exported_table import (
    MODEL_COLUMNS,
    ExportedModel,
    is_database,
    model_columns,
    require_exported,
)


def test_a_url_and_a_file_of_sqlite_are_databases_and_a_folder_is_not(tmp_path):
    assert is_database("postgresql://user@host/name")
    assert is_database("postgres://host/name")
    assert is_database(tmp_path / "texts.sqlite")
    assert is_database("texts.DB")
    assert not is_database(tmp_path / "index")
    (tmp_path / "index.db").mkdir()
    assert not is_database(tmp_path / "index.db")


def test_one_row_names_the_model():
    row = ("minilm", "f", 8, "float32", "window", None)
    assert ExportedModel.of_rows([row], "texts").model == "minilm"
    for rows in ([], [row, row]):
        with pytest.raises(BadInput, match=r"table 'texts_model': . rows, where one names the model"):
            ExportedModel.of_rows(rows, "texts")


def test_a_table_without_its_second_is_refused():
    with pytest.raises(BadInput, match=r"no table 'a_model'; give the `table` that search export wrote"):
        require_exported(lambda name: name == "a", "a", "x.sqlite")


def test_columns_of_prompts_may_be_missing_and_no_others():
    assert model_columns(MODEL_COLUMNS, "texts") == MODEL_COLUMNS
    early = MODEL_COLUMNS[:-2]
    assert model_columns([*reversed(early), "note"], "texts") == early
    with pytest.raises(BadInput, match="table 'texts_model' does not say how queries are embedded"):
        model_columns(MODEL_COLUMNS[1:], "texts")


def test_a_row_with_prompts_gives_them_to_the_model_of_queries():
    row = ("minilm", "f", 8, "float32", "window", None)
    assert ExportedModel.of_rows([row], "texts").query_model("here").prompts == {}
    model = ExportedModel.of_rows([(*row, "q: ", "")], "texts").query_model("here")
    assert model.prompts == {"query": "q: ", "document": ""}
