"""`wordworth search mine` from the command line: what it prints."""

from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build


def test_it_counts_the_pairs_and_shows_the_best(tmp_path):
    done = wordworth("search", "mine", "--index", build(tmp_path), "--threshold", 0.9, "--out", tmp_path / "pairs.csv")
    lines = done.out.splitlines()
    assert lines[0].endswith(f"pairs, written to {tmp_path / 'pairs.csv'}")
    assert lines[1].startswith("1.000  ")
    assert len(lines) == 21
    assert (tmp_path / "pairs.csv").exists()


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    done = wordworth("search", "mine", "--index", tmp_path / "nothing")
    assert done.code == 2
    assert "there is no index here" in done.err.splitlines()[-1]
