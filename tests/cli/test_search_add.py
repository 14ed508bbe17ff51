"""`wordworth search add` from the command line: what it prints."""

from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build, made_up_rows, write_rows


def test_it_counts_the_texts_that_were_added_and_all(tmp_path):
    index, more = build(tmp_path), write_rows(tmp_path / "more.jsonl", made_up_rows(1, 1))
    assert "1 text added, 201 in all" in wordworth("search", "add", more, "--index", index).out


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    index, more = build(tmp_path), write_rows(tmp_path / "more.jsonl", [{"body": "word1"}])
    (tmp_path / "empty.jsonl").write_text("")
    cases = {
        "there is no index here": [more, "--index", tmp_path / "nothing"],
        "there is no column 'text', and the index has its texts there": [more, "--index", index],
        "there are no texts": [tmp_path / "empty.jsonl", "--index", index],
        "--threads 0 is out of range": [more, "--index", index, "--threads", 0],
    }
    for said, words in cases.items():
        done = wordworth("search", "add", *words)
        assert done.code == 2
        assert said in done.err.splitlines()[-1]
