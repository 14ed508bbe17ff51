"""The tables of the record of a map."""

import numpy as np
from tests.studies.corpus_map.topics import index_of, rows

import wordworth as ww


def test_sizes_shares_and_values_add_up(topics):
    record = topics[1]
    clusters, spread = record.table("clusters"), record.table("spread")
    assert clusters["texts"].sum() == spread["texts"].sum() == 200
    assert np.isclose(clusters["share"].sum(), 1, atol=1e-3)
    assert clusters["texts"].is_monotonic_decreasing


def test_a_name_stands_at_a_text_of_its_cluster(topics):
    points = {(row["cluster"], row["x"], row["y"]) for row in topics[1].tables["points"].rows()}
    assert {(row["cluster"], row["x"], row["y"]) for row in topics[1].tables["clusters"].rows()} <= points


def test_each_cluster_has_three_central_texts_and_an_outlying_one(topics):
    texts = topics[1].table("texts")
    assert texts.groupby("cluster")["place"].value_counts().unstack().to_numpy().tolist() == [[3, 1]] * 4
    for _, own in texts.groupby("cluster"):
        assert own["cosine"].is_monotonic_decreasing


def test_equal_texts_stand_among_the_central_ones_once(tmp_path):
    texts = [{**row, "text": f"{row['topic']}1 {row['topic']}2"} for row in rows(24)]
    found = ww.map_index(index_of(tmp_path, texts), clusters=4).table("texts")
    assert found["place"].tolist() == ["central"] * 4
    assert found["text"].is_unique


def test_points_have_no_value_without_a_column(noise):
    assert set(noise.tables["points"].columns["value"]) == {None}
    assert noise.table("spread").empty
