"""The manifest: a damaged index is one clear error, whatever is damaged, and nothing unnamed stays."""

import json

import numpy as np
import pytest
from tests.retrieval.small_index import build

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.manifest import MANIFEST, Manifest


@pytest.fixture
def index(tmp_path):
    folder = build(tmp_path, 20)
    ww.delete_from_index(folder, where="year < 2000")
    return folder


def test_any_file_that_is_missing_or_cut_is_named(index):
    for path in [path for path in index.rglob("*") if path.is_file() and path.name != MANIFEST]:
        whole = path.read_bytes()
        path.write_bytes(whole[:-5])
        with pytest.raises(BadInput, match=f"{path.name}: this file of the index is missing or damaged; build"):
            ww.search("word1", index)
        path.unlink()
        with pytest.raises(BadInput, match=f"{path.name}: this file of the index is missing or damaged; build"):
            ww.search("word1", index)
        path.write_bytes(whole)
    assert len(ww.search("word1", index))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 1}'])
def test_a_manifest_that_is_none_is_refused(index, content):
    (index / MANIFEST).write_text(content)
    with pytest.raises(BadInput, match=r"index.json: .*build the index again"):
        Manifest.read(index)


@pytest.mark.parametrize(
    "change", [{"precision": "int4"}, {"segments": [7]}, {"segments": [{"name": "x"}]}, {"width": "8"}, {"canaries": 3}]
)
def test_a_manifest_with_an_odd_value_is_refused(index, change):
    (index / MANIFEST).write_text(json.dumps({**json.loads((index / MANIFEST).read_text()), **change}))
    with pytest.raises(BadInput, match="damaged"):
        Manifest.read(index)


def test_an_index_of_a_newer_version_is_refused(index):
    (index / MANIFEST).write_text(json.dumps({**json.loads((index / MANIFEST).read_text()), "format": 99}))
    with pytest.raises(BadInput, match="a newer version of Wordworth made this index"):
        Manifest.read(index)


def test_what_killed_processes_left_goes_with_the_next_change_and_what_is_not_ours_stays(index):
    (index / "segment-00009").mkdir()
    (index / ".segment-00007.123.part").mkdir()
    (index / "deleted-00008.npy").write_bytes(b"")
    (index / "notes.txt").write_text("mine")
    ww.delete_from_index(index, where="year < 2005")
    assert {path.name for path in index.iterdir()} == {"segment-00000", "deleted-00002.npy", MANIFEST, "notes.txt"}


def test_numbers_of_deleted_rows_that_are_none_of_the_index_are_refused(index):
    manifest = Manifest.read(index)
    for rows in (np.array([99]), np.array([-1]), np.array([1.5]), np.zeros((1, 1), np.int64)):
        np.save(index / manifest.deleted, rows)
        with pytest.raises(BadInput, match="missing or damaged"):
            manifest.deleted_rows(index)


@pytest.mark.parametrize("prompts", [{"query": "q "}, {"query": "q ", "document": 3}, "q ", None])
def test_prompts_are_those_of_both_roles_or_none(index, prompts):
    raw = json.loads((index / MANIFEST).read_text())
    assert raw["prompts"] == {}
    (index / MANIFEST).write_text(json.dumps({**raw, "prompts": prompts}))
    with pytest.raises(BadInput, match="damaged"):
        Manifest.read(index)
