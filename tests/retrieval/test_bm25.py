"""BM25 by its formula, written out slowly; words as a user types them."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.retrieval.small_index import build, made_up_rows, write_rows

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.bm25 import Postings, best_rows, scores, write_postings


def postings(texts) -> Postings:
    with tempfile.TemporaryDirectory() as folder:
        write_postings(Path(folder), texts)
        return Postings.open(Path(folder))


def slowly(texts, query, k1=1.2, b=0.75):
    documents = [re.findall(r"\w+", text.lower()) for text in texts]
    average = sum(map(len, documents)) / len(documents)
    total = [0.0] * len(texts)
    for word in re.findall(r"\w+", query.lower()):
        containing = sum(word in document for document in documents)
        for row, document in enumerate(documents):
            if count := document.count(word):
                idf = math.log(1 + (len(documents) - containing + 0.5) / (containing + 0.5))
                total[row] += idf * count / (count + k1 * (1 - b + b * len(document) / average))
    return total


words = st.sampled_from(["cat", "Cat", "mat", "the", "über", "东京", "x_1", "the,", "-"])
texts = st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=12)


@given(texts, st.lists(words, max_size=5).map(" ".join), st.integers(0, 12))
@settings(max_examples=80, deadline=None)
def test_scores_are_those_of_the_formula_however_rows_are_divided_into_segments(rows, query, cut):
    segments = [postings(part) for part in (rows[:cut], rows[cut:])]
    assert np.allclose(scores(segments, query), slowly(rows, query), rtol=1e-12)


@given(texts, st.integers(1, 12), st.data())
@settings(max_examples=50, deadline=None)
def test_the_best_rows_have_a_word_pass_the_filter_and_are_in_order(rows, k, data):
    passing = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    expected = np.array(slowly(rows, "the cat")) * passing
    ranking = best_rows([postings(rows)], "the cat", k, passing)
    order = [row for row in np.argsort(-expected, kind="stable") if expected[row] > 0][:k]
    assert np.allclose(ranking.scores, expected[order], rtol=1e-12)
    assert len(ranking.rows) == len(order)
    assert passing[ranking.rows].all()


def test_an_index_is_asked_by_words_without_its_model(tmp_path):
    index = build(tmp_path)
    ww.add_to_index(write_rows(tmp_path / "more.jsonl", [{"text": "Word1 zebra"}]), index)
    (tmp_path / "table.txt").unlink()
    assert ww.search("ZEBRA!", index, method="bm25")["text"].tolist() == ["Word1 zebra"]
    texts_of = [str(row["text"]) for row in made_up_rows(200)] + ["Word1 zebra"]
    results = ww.search("word1 word2", index, method="bm25", k=500)
    assert np.allclose(results["score"], [slowly(texts_of, "word1 word2")[row] for row in results["id"]])
    assert not len(ww.search("nothing", index, method="bm25"))
    with pytest.raises(BadInput, match="no method 'bm-25'; did you mean 'bm25'"):
        ww.search("x", index, method="bm-25")


def test_both_rankings_together_leave_as_many_results_as_pass(tmp_path):
    index = build(tmp_path)
    passing = [row for row in made_up_rows(200) if row["lang"] == "en"]
    results = ww.search("word1 zebra", index, method="hybrid", k=len(passing), where="lang = 'en'")
    assert len(results) == len(passing)
    assert results["score"].is_monotonic_decreasing
    ww.delete_from_index(index, where="lang = 'de'")
    assert len(ww.search("word1 zebra", index, method="hybrid", k=500)) == len(passing)
