"""The study from texts to a record: tables that add up, sentences, the same bytes for the same seed."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.pooling import Dense, SentenceHead
from wordworth.reports import render

PAIRS = [
    {"text_a": f"the {first} cat sat on mat {n}", "text_b": f"a {first} cat was on the mat {n}"}
    for n, first in enumerate(["black", "small", "old", "red", "tired", "young"] * 4)
]


def rows(record, table, **where):
    return [row for row in record.tables[table].rows() if all(row[key] == value for key, value in where.items())]


def test_two_texts_make_tables_that_add_up_to_their_cosine():
    record = ww.study_similarity(["The film was great.", "A wonderful movie."])
    (pair,) = record.tables["pairs"].rows()
    first, second = ww.load("minilm").encode(["The film was great.", "A wonderful movie."], normalize=True)
    assert pair["cosine"] == pytest.approx(float(first @ second), abs=1e-6)
    for total in (
        sum(row["value"] for row in rows(record, "cells")),
        sum(row["contribution"] for row in rows(record, "words", text=1)),
        sum(row["contribution"] for row in rows(record, "words", text=2)),
        pair["same_words"] + pair["different_words"] + pair["special_tokens"],
    ):
        assert total == pytest.approx(pair["cosine"], abs=1e-12)
    assert "kinds" not in record.tables
    assert "“movie”" in record.finding("verdict").text
    assert record.finding("warning.one_pair")


def test_pairs_of_a_table_are_told_apart_from_random_pairs():
    record = ww.study_similarity(data=PAIRS, draws=200, examples=2)
    kinds = {row["kind"]: row for row in record.tables["kinds"].rows()}
    whole = kinds["cosine"]
    assert whole["mean"] == pytest.approx(np.mean([row["cosine"] for row in record.tables["pairs"].rows()]))
    assert whole["gap_low"] > 0
    parts = [row for kind, row in kinds.items() if kind != "cosine"]
    for column in ("mean", "random", "gap"):
        assert sum(row[column] for row in parts) == pytest.approx(whole[column], abs=1e-12)
    assert {row["pair"] for row in record.tables["words"].rows()} == {1, 2}
    assert "cat" in {row["word"] for row in record.tables["word_shares"].rows()}
    assert "more similar than random pairs" in record.verdict
    assert "With random weights the difference is" in record.verdict
    (control,) = (row for row in record.tables["random_weights"].rows() if row["kind"] == "cosine")
    assert control["gap"] < whole["gap"]
    assert "only 24 pairs" in record.finding("warning.few_pairs").text


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes():
    one, two = (ww.study_similarity(data=PAIRS, draws=200).to_json().partition('"timings"')[0] for _ in range(2))
    assert one == two


def test_a_query_is_compared_with_its_nearest_texts():
    record = ww.study_similarity(data=PAIRS, text="text_a", query="a tired cat", top=3)
    cosines = [row["cosine"] for row in record.tables["pairs"].rows()]
    assert cosines == sorted(cosines, reverse=True)
    assert len(cosines) == 3
    assert "tired" in record.tables["pairs"].rows()[0]["second"]
    assert record.verdict.startswith("The nearest of 24 texts")
    assert "chosen by this sum" in record.finding("method.query").text


def test_the_parts_of_a_query_over_its_nearest_texts_are_the_means_of_those_of_each_pair():
    record = ww.study_similarity(data=PAIRS, text="text_a", query="a tired cat", top=3, draws=200)
    words = record.tables["query_words"].rows()
    assert [row["word"] for row in words] == ["[CLS]", "a", "tired", "cat", "[SEP]"]
    for row in words:
        own = [word["contribution"] for word in rows(record, "words", text=1, position=row["position"])]
        assert row["mean"] == pytest.approx(np.mean(own), abs=1e-6)
        assert row["low"] <= row["mean"] <= row["high"]
    assert sum(row["share"] for row in words) == pytest.approx(1)
    everything = ww.study_similarity(data=PAIRS, text="text_a", query="a tired cat", top=24, draws=200)
    assert all(row["mean"] == pytest.approx(row["random"]) for row in everything.tables["query_words"].rows())


def test_a_static_table_is_refused_with_what_to_name_instead():
    with pytest.raises(BadInput, match=r"static table.*name an encoder.*study words"):
        ww.study_similarity(["a", "b"], model="glove")


def test_long_texts_are_read_whole_and_said():
    record = ww.study_similarity(["the cat sat on the mat " * 80, "the dog"])
    assert record.finding("warning.long_texts.minilm")
    assert {row["drop"] for row in record.tables["words"].rows()} == {None}


def with_pooling(folder, head):
    replace(ww.load("mini"), head=head).save(folder)
    return str(folder)


def test_a_model_that_pools_by_maxima_is_taken_apart(tmp_path):
    model = with_pooling(tmp_path / "maximum", SentenceHead(("max",)))
    record = ww.study_similarity(["The film was great.", "A wonderful movie."], model=model)
    (pair,) = record.tables["pairs"].rows()
    assert sum(row["value"] for row in rows(record, "cells")) == pytest.approx(pair["cosine"], abs=1e-12)
    assert {row["pooled_drop"] is None for row in record.tables["words"].rows()} == {False}
    assert "of a maximum, a token has the components" in record.finding("method.table").text


def test_where_vectors_are_no_sums_words_are_left_out_alone(tmp_path):
    dense = Dense(torch.eye(ww.load("mini").model.width), None, "torch.nn.modules.activation.Tanh")
    model = with_pooling(tmp_path / "tanh", SentenceHead(("mean",), (dense,)))
    record = ww.study_similarity(["The film was great.", "A wonderful movie."], model=model)
    (pair,) = record.tables["pairs"].rows()
    assert pair["same_words"] is None
    assert record.tables["cells"].rows() == []
    assert "no sum over words" in record.verdict
    assert "The cosine falls most without" in record.verdict
    assert "The cosine is no sum over words" in render(record)
    many = ww.study_similarity(data=PAIRS, draws=200, model=model)
    assert [row["kind"] for row in many.tables["kinds"].rows()] == ["cosine"]
    assert "word_shares" not in many.tables
    assert "Pairs beside random pairs" in render(many)
