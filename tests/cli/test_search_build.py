"""`wordworth search build` from the command line: what it prints."""

from pathlib import Path

import pytest
from tests.cli.terminal import wordworth
from tests.retrieval.small_index import made_up_rows, two_prompts, write_rows, write_table


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "table.txt")
    write_rows(tmp_path / "rows.jsonl", made_up_rows(30))
    (tmp_path / "empty.jsonl").write_text("")


def test_it_counts_the_texts():
    assert (
        "index: 30 texts, vectors of 8 numbers"
        in wordworth("search", "build", "rows.jsonl", "--model", "table.txt", "--out", "index/").out
    )


def test_it_says_that_rows_may_be_named_where_there_is_a_column_of_ids():
    write_rows(Path("named.jsonl"), [{"text": "word1", "id": "a"}, {"text": "word2", "id": "b"}])
    words = ("search", "build", "named.jsonl", "--model", "table.txt", "--out")
    note = "rows are numbered, and the column 'id' is kept as 'id_'; --id id takes it as the names of rows"
    assert note in wordworth(*words, "one/").err
    assert note not in wordworth(*words, "two/", "--id", "id").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["empty.jsonl"], "empty.jsonl: there are no texts"),
        (["missing.jsonl"], "no such file"),
        (["rows.jsonl", "--text", "body"], "column 'body' not found"),
        (["rows.jsonl", "--id", "lang"], "the id '"),
        (["rows.jsonl", "--precision", "int4"], "no precision 'int4'"),
        (["rows.jsonl", "--model", "nothing.txt"], "no such file of vectors"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2_and_nothing_is_written(tmp_path, words, said):
    before = sorted(tmp_path.iterdir())
    done = wordworth("search", "build", "--model", "table.txt", "--out", "index", *words)
    assert done.code == 2
    assert said in done.err.splitlines()[-1].lower()
    assert sorted(tmp_path.iterdir()) == before


def test_it_says_which_prompts_stand_before_texts_and_queries():
    two_prompts(Path("tiny"))
    said = wordworth("search", "build", "rows.jsonl", "--model", "tiny", "--out", "index/").out
    assert "texts are embedded behind the model's prompt 'a ', queries behind 'the '" in said
    assert "behind" not in wordworth("search", "build", "rows.jsonl", "--model", "table.txt", "--out", "plain/").out
