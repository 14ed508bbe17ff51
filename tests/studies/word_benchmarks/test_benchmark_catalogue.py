"""The sets that there are, and files that none reads."""

from tests.studies.word_benchmarks.small_sets import table
from tests.tasks.datasets.data_folder import write

from wordworth.studies.word_benchmarks import words


def test_files_that_no_benchmark_reads_are_named(tmp_path, data):
    write(data, {"analogy/jair.tsv": "x", "sim/EN-OTHER.txt": "y", "SOURCE.md": "z"})
    path = table(tmp_path / "t.txt")
    every = words(path, data=data, draws=100).finding("method.unread")
    assert every.numbers["files"] == ["sim/EN-OTHER.txt", "analogy/jair.tsv"]
    some = words(path, data=data, draws=100, sets=("analogy",)).finding("method.unread")
    assert some.numbers["files"] == ["analogy/jair.tsv"]
    assert not [found for found in words(path, data=data, draws=100, sets=("rg65",)).findings if "unread" in found.name]
