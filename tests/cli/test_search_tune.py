"""`wordworth search tune` from the command line: what it prints."""

from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build, made_up_rows, write_rows


def test_it_prints_a_line_a_method(tmp_path):
    index = build(tmp_path, id="name")
    labels = [{"query": row["text"], "id": row["name"]} for row in made_up_rows(60)]
    done = wordworth("search", "tune", write_rows(tmp_path / "labels.jsonl", labels), "--index", index)
    head, *lines = done.out.splitlines()
    judged = "among the first ten, 30 queries that did not choose the weight"
    assert head == f"mean reciprocal rank (MRR) {judged}, with 95 % intervals:"
    assert [line.split("  ")[0] for line in lines] == [
        "dense", "bm25", "hybrid, equal weights", "hybrid, learned weight",
    ]  # fmt: skip
    assert "over dense" in lines[-1]


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    index = build(tmp_path)
    labels = write_rows(tmp_path / "labels.jsonl", [{"query": "word1", "id": "0"}])
    done = wordworth("search", "tune", labels, "--index", index)
    assert done.code == 2
    assert "1 query cannot teach a weight" in done.err.splitlines()[-1]
