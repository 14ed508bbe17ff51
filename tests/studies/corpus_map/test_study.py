"""`map_index`: clusters of known truth are found, noise has none, and what is written is whole."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score
from tests.studies.corpus_map.topics import TOPICS, index_of, rows

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.corpus_map import study


def test_topics_of_known_truth_are_found(topics):
    folder, record = topics
    clusters = pd.read_csv(folder / "map" / "clusters.csv")
    assert clusters["id"].tolist() == [f"t{number}" for number in range(200)]
    assert adjusted_rand_score([row["topic"] for row in rows(200)], clusters["cluster"]) > 0.95
    assert record.finding("verdict").numbers["headline"] == "4 clusters in 200 texts."
    assert record.finding("column").numbers["information"] > 0.9


def test_each_topic_is_named_by_its_words_and_not_by_those_of_all(topics):
    words = topics[1].tables["clusters"].columns["words"]
    found = {frozenset(word.rstrip("0123456789") for word in own) for own in words}
    assert found == {frozenset({topic}) for topic in TOPICS}


def test_noise_has_no_clusters_and_says_so(noise):
    assert noise.finding("verdict").numbers["headline"] == "No clusters."
    assert noise.finding("verdict").numbers["p"] > 0.05
    assert "cuts through one cloud" in noise.verdict


def test_the_same_seed_gives_the_same_record_and_another_another(topics, tmp_path):
    folder, record = topics
    again = ww.map_index(folder / "index", tmp_path / "map", colour="topic", points=120)
    assert again.tables == record.tables
    assert again.findings == record.findings
    assert (tmp_path / "map" / "clusters.csv").read_bytes() == (folder / "map" / "clusters.csv").read_bytes()
    assert ww.map_index(folder / "index", clusters=4, points=120, seed=1).tables["points"] != record.tables["points"]


def test_some_texts_are_drawn_and_all_have_a_cluster(topics):
    clusters = pd.read_csv(topics[0] / "map" / "clusters.csv")
    assert clusters["cluster"].between(1, 4).all()
    assert clusters["x"].notna().sum() == clusters["y"].notna().sum() == len(topics[1].table("points")) == 120


@pytest.mark.parametrize("precision", ["float16", "int8", "bits"])
def test_an_index_in_any_precision_has_the_same_clusters(tmp_path, precision):
    index = index_of(tmp_path, rows(80), precision=precision)
    ww.map_index(index, tmp_path / "map", clusters=4, points=20)
    found = pd.read_csv(tmp_path / "map" / "clusters.csv")["cluster"]
    assert adjusted_rand_score([row["topic"] for row in rows(80)], found) > 0.95


def test_texts_that_are_deleted_or_do_not_pass_are_left_out(tmp_path):
    index = index_of(tmp_path, rows(120))
    ww.delete_from_index(index, where="topic = 'river'")
    ww.map_index(index, tmp_path / "map", clusters=2, where="half = '1'", points=20)
    kept = [row["name"] for row in rows(120) if row["topic"] != "river" and row["half"] == "1"]
    assert pd.read_csv(tmp_path / "map" / "clusters.csv")["id"].tolist() == kept


def test_texts_of_several_segments_and_without_ids_are_numbered_through(tmp_path):
    index = index_of(tmp_path, rows(40), id=None)
    ww.add_to_index(tmp_path / "texts.jsonl", index)
    ww.map_index(index, tmp_path / "map", clusters=4, points=20)
    assert pd.read_csv(tmp_path / "map" / "clusters.csv")["id"].tolist() == list(range(80))


def test_centroids_are_learned_from_a_sample_where_there_are_more_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "FITTED", 60)
    monkeypatch.setattr(study, "SAMPLE", 50)
    record = ww.map_index(index_of(tmp_path, rows(160)), tmp_path / "map", clusters=4, points=20)
    found = pd.read_csv(tmp_path / "map" / "clusters.csv")["cluster"]
    assert adjusted_rand_score([row["topic"] for row in rows(160)], found) > 0.95
    assert "on 60 texts; then each of 160 texts" in record.finding("method.clusters").text


def test_equal_texts_make_one_cluster_and_a_map(tmp_path):
    same = [{**row, "text": "river1 river2"} for row in rows(24)]
    record = ww.map_index(index_of(tmp_path, same), clusters=3)
    assert record.tables["clusters"].columns["texts"] == [24]
    assert np.isfinite(record.table("points")[["x", "y"]].to_numpy()).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 21}, "40 texts for `clusters` 21, and each needs two texts; give a smaller number"),
        ({"clusters": 1}, "`clusters` 1 is out of range; give 2 to 100"),
        ({"colour": "topik"}, "column 'topik' not found; did you mean 'topic'"),
        ({"where": "topic ="}, "cannot read this condition"),
        (
            {"where": "topic = 'river'"},
            "10 texts, of which no number of clusters can be chosen; give a `where` that more texts pass",
        ),
        ({"where": "topic = 'none'", "clusters": 2}, "0 texts for `clusters` 2"),
        ({"points": 5}, "`points` 5 is out of range"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(tmp_path, options, message):
    index = index_of(tmp_path, rows(40))
    with pytest.raises(BadInput, match=message):
        ww.map_index(index, tmp_path / "map", **options)
    assert not (tmp_path / "map").exists()


def test_no_index_and_the_index_as_the_place_of_the_map_are_refused(tmp_path):
    with pytest.raises(BadInput, match="there is no index here"):
        ww.map_index(tmp_path, tmp_path / "map")
    index = index_of(tmp_path, rows(40))
    with pytest.raises(BadInput, match="the output would overwrite the input"):
        ww.map_index(index, index)


def test_a_map_that_is_stopped_leaves_the_one_before(topics, tmp_path, monkeypatch):
    index = topics[0] / "index"
    ww.map_index(index, tmp_path / "map", clusters=2, points=20)
    before = {path.name: path.read_bytes() for path in (tmp_path / "map").iterdir()}

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(study, "text_map", stop)
    with pytest.raises(KeyboardInterrupt):
        ww.map_index(index, tmp_path / "map", clusters=3, points=20)
    with pytest.raises(KeyboardInterrupt):
        ww.map_index(index, tmp_path / "new", clusters=3, points=20)
    assert {path.name: path.read_bytes() for path in (tmp_path / "map").iterdir()} == before
    assert not (tmp_path / "new").exists()


def test_the_record_is_read_again_as_it_was_written(topics):
    folder, record = topics
    assert ww.read_record(folder / "map") == record
    assert json.loads((folder / "map" / "record.json").read_text())["kind"] == "corpus_map"
