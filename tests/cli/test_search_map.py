"""`wordworth search map` from the command line: what it prints and writes."""

from tests.cli.terminal import wordworth
from tests.studies.corpus_map.topics import index_of, rows


def test_it_prints_the_verdict_and_where_the_page_is(tmp_path):
    index, out = index_of(tmp_path, rows(80)), tmp_path / "map"
    done = wordworth("search", "map", "--index", index, "--clusters", 4, "--colour", "topic", "--out", out)
    assert done.code == 0
    assert "4 clusters in 80 texts." in done.out
    assert done.out.splitlines()[-1] == str(out / "report.html")
    assert sorted(path.name for path in out.iterdir()) == ["clusters.csv", "record.json", "report.html"]


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    done = wordworth("search", "map", "--index", tmp_path / "nothing", "--out", tmp_path / "map")
    assert done.code == 2
    assert "there is no index here" in done.err.splitlines()[-1]
    index = index_of(tmp_path, rows(10))
    done = wordworth("search", "map", "--index", index, "--clusters", 6, "--out", tmp_path / "map")
    assert done.code == 2
    assert "10 texts for --clusters 6, and each needs two texts" in done.err.splitlines()[-1]
