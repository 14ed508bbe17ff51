"""Features on the disk: what is refused, and that blocks are the whole."""

import re

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.training.codebook.feature_rows import FeatureRows


def saved(path, array):
    np.save(path, array)
    return path


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_blocks_are_all_rows_in_order(tmp_path, monkeypatch, dtype):
    monkeypatch.setattr("wordworth.training.codebook.feature_rows._NUMBERS", 8)
    vectors = np.arange(21, dtype=dtype).reshape(7, 3)
    rows = FeatureRows.open(saved(tmp_path / "f.npy", vectors))
    assert np.array_equal(np.concatenate([block for _, block in rows.blocks()]), vectors)
    assert {block.dtype.name for _, block in rows.blocks()} == {"float32"}


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3), "not a table"),
        (np.zeros((3, 2), dtype=int), "not a table"),
        (np.zeros((0, 2)), "there are no vectors"),
    ],
)
def test_what_is_no_table_of_floating_point_numbers_is_refused(tmp_path, array, message):
    with pytest.raises(BadInput, match=message):
        FeatureRows.open(saved(tmp_path / "f.npy", array))


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"unknown kind of file '\.csv'"):
        FeatureRows.open(tmp_path / "f.csv")


def test_objects_are_never_unpickled(tmp_path):
    np.save(tmp_path / "f.npy", np.array([{}, {}]), allow_pickle=True)
    with pytest.raises(BadInput, match="not a readable array"):
        FeatureRows.open(tmp_path / "f.npy")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_is_named_by_its_row(tmp_path, bad):
    vectors = np.zeros((5, 2))
    vectors[3, 1] = bad
    with pytest.raises(BadInput, match=r"row 3 .* NaN or infinity"):
        FeatureRows.open(saved(tmp_path / "f.npy", vectors)).require_finite(STILL)


@pytest.mark.parametrize(("dtype", "bad"), [("float32", -1e38), ("float64", 1e300)])
def test_a_number_whose_squares_overflow_is_named_with_its_row_and_the_limit(tmp_path, dtype, bad):
    vectors = np.zeros((5, 2), dtype=dtype)
    vectors[3, 1] = bad
    message = f"row 3 (the first is 0) holds {bad:.3g}, and beyond 6.5e+18 squared distances overflow in float32"
    with pytest.raises(BadInput, match=re.escape(message)):
        FeatureRows.open(saved(tmp_path / "f.npy", vectors)).require_finite(STILL)


def test_squared_distances_between_numbers_that_pass_are_finite(tmp_path):
    vectors = np.full((2, 7), 3.4e18, dtype=np.float32)
    vectors[1] *= -1
    FeatureRows.open(saved(tmp_path / "f.npy", vectors)).require_finite(STILL)
    assert np.isfinite(np.square(vectors[0] - vectors[1]).sum())


def test_features_of_another_width_are_refused(tmp_path):
    rows = FeatureRows.open(saved(tmp_path / "f.npy", np.zeros((5, 2))))
    with pytest.raises(BadInput, match="features of 2 numbers, and the codebook was learned from features of 3"):
        rows.require_width(3)
