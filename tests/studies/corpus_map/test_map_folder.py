"""The folder of a map: its files, and what it must not replace."""

import errno

import pytest
from tests.studies.corpus_map.topics import index_of, rows

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.corpus_map import map_folder
from wordworth.studies.corpus_map.map_folder import CLUSTERS, MapFolder


def test_a_map_is_three_files_and_nothing_else(topics):
    assert sorted(path.name for path in (topics[0] / "map").iterdir()) == [CLUSTERS, "record.json", "report.html"]


def test_a_map_replaces_a_map(tmp_path):
    index = index_of(tmp_path, rows(40))
    for number in (2, 4):
        ww.map_index(index, tmp_path / "map", clusters=number, points=20)
        assert len(ww.read_record(tmp_path / "map").tables["clusters"].columns["texts"]) == number


def test_a_file_of_clusters_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / CLUSTERS).write_text("mine")
    with pytest.raises(BadInput, match=r"this folder holds a clusters.csv without a record"):
        MapFolder.of(tmp_path, "corpus_map")
    assert (tmp_path / CLUSTERS).read_text() == "mine"


def test_a_full_disk_leaves_the_map_before_and_no_parts(tmp_path, monkeypatch):
    index = index_of(tmp_path, rows(40))
    ww.map_index(index, tmp_path / "map", clusters=2, points=20)
    before = {path.name: path.read_bytes() for path in (tmp_path / "map").iterdir()}

    def full(_: object):
        yield {"id": "t0", "cluster": 1, "cosine": 1.0, "x": None, "y": None}
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(map_folder, "_rows", full)
    with pytest.raises(BadInput, match="the disk is full"):
        ww.map_index(index, tmp_path / "map", clusters=4, points=20)
    assert {path.name: path.read_bytes() for path in (tmp_path / "map").iterdir()} == before
