"""Queries are embedded by the model that made the index, and by no other."""

import pytest
from tests.retrieval.small_index import build, write_table

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.query_model import QueryModel, require_queries


def test_a_query_has_the_vector_that_the_model_gives(tmp_path):
    about = ww.load_index(build(tmp_path, 3)).manifest
    model = QueryModel(about.model, about.dtype, about.long_texts, about.fingerprint, "the index")
    encoder = model.load()
    assert (model.vectors(encoder, ["word1 word2"]) == ww.load(about.model).encode(["word1 word2"])).all()
    with pytest.raises(BadInput, match=r"the query 'zzz' has no word that table.txt knows"):
        model.vectors(encoder, ["word1", "zzz"])
    with pytest.raises(BadInput, match=r"the index: .*other.txt is not the model that this index was made with"):
        model.load(str(write_table(tmp_path / "other.txt", seed=1)))


def test_a_query_that_is_empty_or_no_text_is_refused(tmp_path):
    assert require_queries(("a",)) == ["a"]
    folder = build(tmp_path, 3)
    for query in (None, ["a", None]):
        with pytest.raises(BadInput, match="None"):
            ww.search(query, folder)
    with pytest.raises(BadInput, match="a query is empty"):
        require_queries(["a", " \n"])
