"""An open index: another space is refused, and so are vectors of another width."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny
from tests.retrieval.small_index import WORDS, build, write_table

import wordworth as ww
from wordworth.errors import BadInput


def test_another_model_is_refused_in_one_line(tmp_path):
    index = build(tmp_path)
    other = write_table(tmp_path / "other.txt", seed=1)
    with pytest.raises(BadInput, match=r"other.txt is not the model that this index was made with, .*table.txt"):
        ww.search("word1", index, model=str(other))
    moved = (tmp_path / "table.txt").rename(tmp_path / "moved.txt")
    with pytest.raises(BadInput, match="no such file of vectors"):
        ww.search("word1", index)
    assert len(ww.search("word1", index, model=str(moved))) == 10


def test_a_model_whose_weights_changed_since_is_refused_for_asking_and_adding(tmp_path):
    write_tiny(tmp_path / "tiny")
    ww.build_index(["the cab"], tmp_path / "index", model=str(tmp_path / "tiny"), dtype="float32")
    write_tiny(tmp_path / "tiny", num_hidden_layers=1)
    for change in (lambda: ww.search("the", tmp_path / "index"), lambda: ww.add_to_index(["a"], tmp_path / "index")):
        with pytest.raises(
            BadInput, match="tiny is no longer the model that it was when this index was made: its weights"
        ):
            change()


def test_a_query_without_a_known_word_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"the query 'zzz' has no word that table.txt knows"):
        ww.search("zzz", build(tmp_path))


def test_several_queries_are_answered_as_each_is_alone(tmp_path):
    index = ww.load_index(build(tmp_path))
    queries = [" ".join(WORDS[start : start + 4]) for start in range(40)]
    together = index.search(queries, k=3)
    for number, query in enumerate(queries):
        own = together[together["query"] == number].drop(columns="query").reset_index(drop=True)
        assert own.equals(index.search(query, k=3))


def test_vectors_of_any_length_are_asked_with(tmp_path):
    index = ww.load_index(build(tmp_path))
    vector = index.load_model().encode(["word1 word2"])
    (short,), (long,) = index.search_vectors(vector), index.search_vectors(vector * 1000, where="year > 0")
    assert short.rows.tolist() == long.rows.tolist() == index.search("word1 word2")["id"].tolist()
    with pytest.raises(BadInput, match=r"vectors \[1 x 9\], and those of the index have 8 numbers"):
        index.search_vectors(np.ones((1, 9)))


def test_an_index_says_what_it_is(tmp_path):
    index = ww.load_index(build(tmp_path))
    assert len(index) == 200
    assert repr(index).endswith("8 wide, float32>")


def test_a_condition_is_read_once_however_often_it_is_asked(tmp_path, monkeypatch):
    index, calls = ww.load_index(build(tmp_path)), []
    real = index.rows.column
    monkeypatch.setattr("wordworth.retrieval.index.StoredRows.column", lambda _, name: calls.append(name) or real(name))
    for _ in range(3):
        index.search("word1", where="lang = 'en'")
    assert calls == ["lang"]
    for year in range(30):
        index.search("word1", where=f"year > {year}")
    calls.clear()
    index.search("word1", where="lang = 'en'")
    assert calls == ["lang"]  # only the conditions that were asked last are kept


@pytest.mark.parametrize("method", ["dense", "bm25", "hybrid"])
@pytest.mark.parametrize("k", [0, -1, 2.5])
def test_an_invalid_number_of_results_is_refused(tmp_path, method, k):
    with pytest.raises(BadInput, match="`k`"):
        ww.load_index(build(tmp_path)).search("word1", k=k, method=method)


def test_an_unknown_method_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no method 'densee'"):
        ww.load_index(build(tmp_path)).search("word1", method="densee")


def test_an_invalid_number_of_nearest_rows_is_refused(tmp_path):
    with pytest.raises(BadInput, match="`k` 0 is out of range"):
        ww.load_index(build(tmp_path)).search_vectors(np.ones((1, 8)), k=0)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_vectors_with_numbers_that_are_not_finite_are_refused(tmp_path, number):
    vectors = np.ones((2, 8))
    vectors[1, 3] = number
    with pytest.raises(BadInput, match=r"vector 1 .* is not finite"):
        ww.load_index(build(tmp_path)).search_vectors(vectors)
