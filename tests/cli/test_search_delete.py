"""`wordworth search delete` from the command line: what it prints."""

from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build


def test_it_counts_the_texts_that_were_deleted_and_those_left(tmp_path):
    index = build(tmp_path)
    assert (
        "2 texts deleted, 198 left"
        in wordworth("search", "delete", "--index", index, "--where", "name IN ('0-1', '0-2')").out
    )
    assert (
        "0 texts deleted, 198 left"
        in wordworth("search", "delete", "--index", index, "--where", "name IN ('0-1', '0-2')").out
    )


def test_a_condition_that_cannot_be_read_deletes_nothing(tmp_path):
    index = build(tmp_path)
    done = wordworth("search", "delete", "--index", index, "--where", "name IN '0-1'")
    assert done.code == 2
    assert "cannot read this condition" in done.err
    assert "0 texts deleted, 200 left" in wordworth("search", "delete", "--index", index, "--where", "name = ''").out
