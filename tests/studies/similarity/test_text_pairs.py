"""Two texts, the pairs of a table, or a query and its nearest texts; what cannot be used is one clear error."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.similarity.settings import SimilaritySettings
from wordworth.studies.similarity.text_pairs import read_pairs

TABLE = "text_a,text_b\nthe cat,a cat\n,a dog\nthe bird,a fish\nmy cat,your cat\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture(scope="module")
def encoder():
    return ww.load("minilm")


def test_the_pairs_of_a_table_are_those_of_its_usual_columns_without_blank_ones(table, encoder):
    pairs = read_pairs((), SimilaritySettings(data=table), encoder, SILENT)
    assert pairs.first == ("the cat", "the bird", "my cat")
    assert pairs.second == ("a cat", "a fish", "your cat")
    assert pairs.facts["blank"] == 1
    assert len(read_pairs((), SimilaritySettings(data=table, limit=2), encoder, SILENT)) == 2


def test_the_texts_nearest_to_a_query_are_those_with_the_largest_cosines(table, encoder):
    settings = SimilaritySettings(data=table, query="a small cat", text="text_b", top=2)
    pairs = read_pairs((), settings, encoder, SILENT)
    texts = ["a cat", "a dog", "a fish", "your cat"]
    vectors = encoder.encode(["a small cat", *texts], normalize=True)
    order = np.argsort(-(vectors[1:] @ vectors[0]))[:2]
    assert pairs.second == tuple(texts[row] for row in order)
    assert pairs.facts["texts"] == 4


@pytest.mark.parametrize(
    ("texts", "choices", "what"),
    [
        ((), {}, "got 0 texts;"),
        (("a",), {}, "got 1 text;"),
        (("a", " "), {}, "a text is empty"),
        (("a", "b"), {"data": True}, "both texts and a table"),
        (("a", "b"), {"limit": 3}, "limit`?: this has no effect on two texts"),
        ((), {"query": "a"}, "no texts to be compared with"),
        ((), {"data": True, "query": " "}, "a text is empty"),
        ((), {"data": True, "query": "a", "text_b": "text_b"}, "one column of texts"),
        ((), {"data": True, "text": "text_a"}, "one column of the pairs"),
        ((), {"data": True, "text": "text_a", "text_b": "nothing"}, "nothing"),
    ],
)
def test_what_cannot_be_compared_is_said(texts, choices, what, table, encoder):
    settings = SimilaritySettings(**{**choices, **({"data": table} if "data" in choices else {})})
    with pytest.raises(BadInput, match=what):
        read_pairs(texts, settings, encoder, SILENT)


@pytest.mark.parametrize(("content", "what"), [("text_a,text_b\n,\n", "no row has texts"), ("x,y\n1,2\n", "no two")])
def test_a_table_without_pairs_is_refused(content, what, tmp_path, encoder):
    path = tmp_path / "odd.csv"
    path.write_text(content)
    with pytest.raises(BadInput, match=what):
        read_pairs((), SimilaritySettings(data=path), encoder, SILENT)
