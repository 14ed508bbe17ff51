"""The weight is learned on one half of the queries and judged on the other, and hybrid search uses it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.retrieval.small_index import WORDS, write_table

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.manifest import Manifest


@pytest.fixture
def index(tmp_path):
    """An index whose texts have a code that the table does not know, and that words alone can find."""
    draw = np.random.default_rng(0)
    rows = [{"text": f"{' '.join(draw.choice(WORDS, 4))} code{row}", "sku": f"s{row}"} for row in range(100)]
    ww.build_index(rows, tmp_path / "index", model=str(write_table(tmp_path / "table.txt")), id="sku")
    return tmp_path / "index"


def coded(rows, word="word1"):
    return [{"query": f"{word} code{row}", "id": f"s{row}"} for row in rows]


def test_where_words_alone_find_the_answers_they_get_the_weight(index):
    table = ww.tune_search(coded(range(60)), index).set_index("method")
    assert table.loc["bm25", "score"] > table.loc["dense", "score"] + 0.5
    assert table.loc["hybrid, learned weight", "score"] >= table.loc["hybrid, equal weights", "score"]
    assert table.loc["hybrid, learned weight", "gain_low"] > 0
    assert (table["queries"] == 30).all()
    weight = Manifest.read(index).dense_weight
    assert weight == table.loc["hybrid, learned weight", "weight"] < 0.5
    assert ww.search("word1 code7", index, method="hybrid")["id"][0] == "s7"


def test_where_vectors_find_them_they_get_the_weight(index):
    texts = ww.search("word1", index, k=100)
    labels = [
        {"query": " ".join(text.split()[:4]), "id": name} for text, name in zip(texts["text"], texts["id"], strict=True)
    ]
    table = ww.tune_search(labels, index).set_index("method")
    assert table.loc["dense", "score"] > 0.9
    assert table.loc["dense", "gain"] == 0
    assert len(ww.search("word1 code7", index, method="hybrid")) == 10


def test_the_same_seed_gives_the_same_table(index):
    assert ww.tune_search(coded(range(40)), index).equals(ww.tune_search(coded(range(40)), index))


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (coded(range(19)), "19 queries cannot teach a weight; give at least 20"),
        ([*coded(range(30)), {"query": "x", "id": "nothing"}], "no text of the index has the id 'nothing'"),
        ([{"question": "x", "id": "s1"}], "column 'query' not found"),
    ],
)
def test_labels_that_cannot_be_learned_from_are_refused(index, labels, said):
    with pytest.raises(BadInput, match=said):
        ww.tune_search(labels, index)
    assert Manifest.read(index).dense_weight == 0.5


def test_the_id_of_a_deleted_text_answers_nothing(index):
    ww.delete_from_index(index, where="sku = 's3'")
    with pytest.raises(BadInput, match="no text of the index has the id 's3'; give ids as search ask prints them"):
        ww.tune_search(coded(range(30)), index)
