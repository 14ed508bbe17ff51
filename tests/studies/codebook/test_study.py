"""`learn_symbols`: its files and record, resuming, and what is refused."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture
def features(tmp_path):
    np.save(tmp_path / "f.npy", np.random.default_rng(0).normal(size=(80, 3)))
    return tmp_path / "f.npy"


def test_the_record_has_a_row_for_each_level(features, tmp_path):
    record = ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2)
    levels = record.table("levels")
    assert levels["codes"].tolist() == [3, 9]
    assert (levels["used"] <= levels["codes"]).all()
    assert 0 < levels["unexplained"][1] < levels["unexplained"][0] < 1
    assert (tmp_path / "codes" / "report.html").exists()


def test_a_codebook_that_is_finished_is_read_and_the_same_call_is_the_same_record(features, tmp_path):
    first = ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2)
    assert ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2) == first
    again = ww.learn_symbols(features, tmp_path / "others", k=3, depth=2)
    assert again.tables["levels"].columns == first.tables["levels"].columns


def test_a_run_that_was_stopped_resumes_to_the_same_codes(features, tmp_path):
    ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2)
    codes = np.load(tmp_path / "codes" / "codes.npy")
    for name in ("codes.npy", "record.json", "report.html", "level2.npy"):
        (tmp_path / "codes" / name).unlink()
    ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2)
    assert np.array_equal(np.load(tmp_path / "codes" / "codes.npy"), codes)


def test_a_folder_of_another_codebook_or_of_anything_else_is_refused(features, tmp_path):
    ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2)
    with pytest.raises(BadInput, match="k"):
        ww.learn_symbols(features, tmp_path / "codes", k=4, depth=2)
    with pytest.raises(BadInput, match="holds something else"):
        ww.learn_symbols(features, tmp_path, k=3, depth=2)


def test_fewer_rows_than_clusters_are_refused_and_nothing_is_written(tmp_path):
    np.save(tmp_path / "f.npy", np.zeros((2, 3)))
    with pytest.raises(BadInput, match=r"2 rows of features to learn .* 3 clusters"):
        ww.learn_symbols(tmp_path / "f.npy", tmp_path / "codes", k=3)
    assert not (tmp_path / "codes").exists()


def test_equal_rows_are_refused_and_leave_no_folder_that_a_later_call_would_refuse(features, tmp_path):
    np.save(tmp_path / "same.npy", np.ones((50, 3)))
    with pytest.raises(BadInput, match="all 50 rows of features are equal"):
        ww.learn_symbols(tmp_path / "same.npy", tmp_path / "codes", k=3, depth=2)
    assert ww.learn_symbols(features, tmp_path / "codes", k=3, depth=2).kind == "codebook"
