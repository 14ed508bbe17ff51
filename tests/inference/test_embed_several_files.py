"""Files that a pattern names have a file of vectors each, as each has alone."""

import numpy as np
import pandas as pd
import pytest
from tests.inference.ray_stand_in import install
from tests.serving.served import tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture
def files(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\nother 1.0 0.0\n")
    folder = tmp_path / "texts"
    (folder / "c").mkdir(parents=True)
    (folder / "a.csv").write_text("text\nword\nother\n")
    (folder / "b.jsonl").write_text('{"text": "word other"}\n')
    (folder / "c" / "d.csv").write_text("text\nother\n")
    return folder


def vectors_in(path):
    return np.stack(pd.read_parquet(path)["vector"])


def test_each_file_has_the_bytes_that_it_has_alone(files, tmp_path):
    model, out = str(tmp_path / "table.txt"), tmp_path / "new" / "vectors"
    report = ww.embed(files / "*", out, model=model)
    assert (report.out, report.rows, report.width, report.unchanged) == (out, 3, 2, False)
    assert sorted(path.name for path in out.iterdir()) == ["a.parquet", "b.parquet"]
    ww.embed(files / "a.csv", tmp_path / "alone.parquet", model=model)
    assert (out / "a.parquet").read_bytes() == (tmp_path / "alone.parquet").read_bytes()
    assert vectors_in(out / "b.parquet").tolist() == [[2.0, 2.0]]


def test_folders_below_are_searched_and_finished_files_are_left(files, tmp_path):
    model, out = str(tmp_path / "table.txt"), tmp_path / "vectors"
    ww.embed(files / "a.csv", out / "a.parquet", model=model)
    before = (out / "a.parquet").stat().st_mtime_ns
    assert not ww.embed(f"{files}/**/*.csv", f"{out}/", model=model).unchanged
    assert sorted(path.name for path in out.iterdir()) == ["a.parquet", "d.parquet"]
    assert (out / "a.parquet").stat().st_mtime_ns == before
    assert ww.embed(f"{files}/**/*.csv", out, model=model).unchanged


def test_one_cluster_computes_all_files(files, tmp_path, monkeypatch):
    ray = install(monkeypatch)
    tiny_encoder(tmp_path / "tiny")
    ww.embed(files / "*", tmp_path / "by_ray", model=str(tmp_path / "tiny"), dtype="float32", engine="ray")
    ww.embed(files / "*", tmp_path / "here", model=str(tmp_path / "tiny"), dtype="float32")
    assert (ray.starts, ray.started) == (1, 0)
    for name in ("a.parquet", "b.parquet"):
        assert (tmp_path / "by_ray" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_a_path_with_brackets_that_is_there_is_one_file(files, tmp_path):
    (files / "[1].csv").write_text("text\nword\n")
    assert ww.embed(files / "[1].csv", model=str(tmp_path / "table.txt")).shape == (1, 2)


@pytest.mark.parametrize(
    ("pattern", "out", "said"),
    [
        ("*.tsv", "vectors", "no file has such a path; check the path"),
        ("*.csv", "vectors.parquet", "several files of texts make several files of vectors; give a folder"),
        ("*.csv", "table.txt", "several files of texts make several files of vectors; give a folder"),
        ("*.csv", None, "vectors of several files are written; give a folder as `out`"),
        ("**/a.*", "vectors", "would both be written to"),
        ("*.csv", "/proc/none", "cannot make this folder"),
    ],
)
def test_what_cannot_be_written_is_one_error(files, tmp_path, pattern, out, said):
    (files / "c" / "a.jsonl").write_text('{"text": "word"}\n')
    with pytest.raises(BadInput, match=said):
        ww.embed(f"{files}/{pattern}", out and tmp_path / out, model=str(tmp_path / "table.txt"))
