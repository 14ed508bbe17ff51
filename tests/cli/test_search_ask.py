"""`wordworth search ask` from the command line: what it prints."""

import json

import pytest
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny
from tests.retrieval.small_index import build, made_up_rows, write_rows

import wordworth as ww


@pytest.fixture
def index(tmp_path):
    return build(tmp_path)


def test_it_prints_a_paragraph_a_result_with_its_score_and_its_cells(index):
    done = wordworth("search", "ask", "word1 word2", "--index", index, "--k", 2)
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0].startswith(" 1. 0.")
    assert lines[1].startswith("    text: word")
    assert [line for line in lines if line.startswith("    name: 0-")]


def test_it_prints_an_object_a_result(index):
    done = wordworth("search", "ask", "word1 word2", "--index", index, "--where", "lang = 'en'", "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert len(rows) == 10
    assert {row["lang"] for row in rows} == {"en"}
    assert [row["rank"] for row in rows] == list(range(1, 11))


def test_a_database_is_asked_with_the_same_options_and_prints_the_same(index, tmp_path):
    assert wordworth("search", "export", "--index", index, "--out", tmp_path / "texts.sqlite").code == 0
    options = ("--k", 3, "--where", "lang = 'en'")
    answers = [
        wordworth("search", "ask", "word1 word2", "--index", each, *options)
        for each in (index, tmp_path / "texts.sqlite")
    ]
    assert answers[0].out == answers[1].out != ""
    assert answers[1].code == 0


def test_it_says_that_cosines_are_of_vectors_in_bfloat16_where_they_are(tmp_path):
    rows, encoder = write_rows(tmp_path / "rows.jsonl", made_up_rows(20)), str(write_tiny(tmp_path / "tiny"))
    said = "scores are cosines of vectors computed in bfloat16, whose third digit may differ from float32"
    for dtype, method, notes in (("bfloat16", "dense", 1), ("bfloat16", "bm25", 0), ("float32", "dense", 0)):
        ww.build_index(rows, tmp_path / dtype, model=encoder, dtype=dtype, overwrite=True)
        done = wordworth("search", "ask", "word1", "--index", tmp_path / dtype, "--method", method)
        assert (done.code, done.err.count(said)) == (0, notes)
    ww.build_index(rows, tmp_path / "bfloat16", model=encoder, dtype="bfloat16")
    assert wordworth("search", "export", "--index", tmp_path / "bfloat16", "--out", tmp_path / "t.sqlite").code == 0
    assert said in wordworth("search", "ask", "word1", "--index", tmp_path / "t.sqlite").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--where", "lang = 'fr'"], "nothing found: there is no text that passes the condition"),
        (["--method", "bm25"], "nothing found: no text has a word of the query"),
        (
            ["--where", "lang = 'en'", "--method", "bm25"],
            "nothing found: no text that passes the condition has a word of the query",
        ),
    ],
)
def test_it_says_why_nothing_is_found(index, words, said):
    query = "word1" if "bm25" not in words else "zzz"
    assert wordworth("search", "ask", query, "--index", index, *words).out.strip() == said


def test_bad_input_is_one_line_and_exit_code_2(index, tmp_path):
    cases = {
        "there is no index here": ["word1", "--index", tmp_path / "nothing"],
        "column 'langs' not found; did you mean 'lang'?": ["word1", "--index", index, "--where", "langs = 'en'"],
        "--k 0 is out of range; give 1 or more": ["word1", "--index", index, "--k", 0],
        "has no word that table.txt knows": ["zzz", "--index", index],
        "a query is empty; ask with words": [" ", "--index", index, "--method", "bm25"],
        "cannot read this condition": ["word1", "--index", index, "--where", "lang = en"],
    }
    for said, words in cases.items():
        done = wordworth("search", "ask", *words)
        assert done.code == 2
        assert said in done.err.splitlines()[-1]
