"""`wordworth search export` from the command line: what it prints, and an error."""

from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build


def test_it_counts_the_texts_and_refuses_what_is_there(tmp_path):
    command = ("search", "export", "--index", build(tmp_path), "--out", tmp_path / "texts.sqlite")
    assert "200 texts written" in wordworth(*command).out
    done = wordworth(*command)
    assert done.code == 2
    assert "this file is there already" in done.err
