"""`wordworth search hnsw` from the command line: what it prints."""

import pytest
from tests.cli.terminal import wordworth
from tests.retrieval.small_index import build, queries


def test_it_prints_recall_with_its_interval_and_asking_says_it_again(tmp_path):
    pytest.importorskip("faiss")
    index = build(tmp_path, 1500)
    (tmp_path / "queries.txt").write_text("\n".join(queries(40)))
    options = ("--recall", 0.7, "--m", 4, "--ef-construction", 20, "--k", 5)
    done = wordworth("search", "hnsw", tmp_path / "queries.txt", "--index", index, *options)
    first, second, third = done.out.splitlines()
    assert first.startswith(f"{index}: a graph of 1,500 texts, efSearch ")
    assert second.startswith("recall@5: 0.")
    assert second.endswith(" on 20 queries")
    assert third.endswith(" ms by comparing all texts")
    interval = second.removeprefix("recall@5: ").removesuffix(" on 20 queries")
    graph = wordworth("search", "ask", "word1 word2", "--index", index, "--k", 5)
    assert f"{interval} of the 5 nearest" in graph.err.replace("\n", " ")
    exact = wordworth("search", "ask", "word1 word2", "--index", index, "--k", 5, "--exact")
    assert "efSearch" not in exact.err


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    pytest.importorskip("faiss")
    index = build(tmp_path, 20)
    (tmp_path / "queries.txt").write_text("word1\nword2\n")
    cases = {
        "2 distinct queries cannot measure a recall": [tmp_path / "queries.txt", "--index", index],
        "there is no index here": [tmp_path / "queries.txt", "--index", tmp_path],
        "--recall 1.5 is out of range": [tmp_path / "queries.txt", "--index", index, "--recall", 1.5],
        "no such file": [tmp_path / "none.txt", "--index", index],
    }
    for words, arguments in cases.items():
        done = wordworth("search", "hnsw", *arguments)
        assert done.code == 2
        assert words in done.err.splitlines()[-1]
