"""A codebook by hand: descent, prefixes, empty clusters, and what is refused as a folder of one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.codebook import Codebook, level_file, nearest_children

BY_HAND = Codebook(
    (
        np.array([[[0.0], [10.0]]], dtype=np.float32),
        np.array([[[-1.0], [4.0]], [[9.0], [np.nan]]], dtype=np.float32),
    )
)


def test_a_code_is_the_number_whose_digits_are_the_children_of_the_descent():
    codes = BY_HAND.encode(np.array([[-5.0], [3.0], [4.9], [5.1], [99.0]], dtype=np.float32))
    assert codes.tolist() == [0, 1, 1, 2, 2]


def test_the_descent_is_greedy_and_never_enters_an_empty_cluster():
    assert BY_HAND.encode(np.array([[5.5]], dtype=np.float32)).tolist() == [2]  # 4.0 is nearer than 9.0
    assert np.isnan(BY_HAND.levels[-1].reshape(-1, 1)[3]).all()


def test_codes_of_fewer_levels_are_the_first_digits():
    vectors = np.linspace(-2, 12, 30, dtype=np.float32)[:, None]
    assert np.array_equal(BY_HAND.to_depth(1).encode(vectors), BY_HAND.encode(vectors) // 2)
    with pytest.raises(BadInput, match="3 is out of range"):
        BY_HAND.to_depth(3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 4), st.integers(2, 5))
def test_each_step_goes_to_the_nearest_child_by_an_exhaustive_search(seed, rows, nodes, k):
    draw = np.random.default_rng(seed)
    vectors, centroids = draw.normal(size=(rows, 3)).astype("f4"), draw.normal(size=(nodes, k, 3)).astype("f4")
    parents = draw.integers(0, nodes, rows)
    children, squares = nearest_children(vectors, centroids, parents)
    for vector, parent, child, square in zip(vectors, parents, children, squares, strict=True):
        distances = [sum((a - b) ** 2 for a, b in zip(vector, centroid, strict=True)) for centroid in centroids[parent]]
        assert child == int(np.argmin(distances))
        assert square == pytest.approx(min(distances), rel=1e-4)


@pytest.fixture
def folder(tmp_path):
    np.save(tmp_path / "f.npy", np.random.default_rng(0).normal(size=(30, 2)))
    ww.learn_symbols(tmp_path / "f.npy", tmp_path / "codes", k=2, depth=2)
    return tmp_path / "codes"


def test_a_codebook_is_read_as_it_was_written(folder):
    book = Codebook.read(folder)
    assert (book.k, book.depth, book.width) == (2, 2, 2)
    vectors = np.load(folder.parent / "f.npy").astype("f4")
    assert np.array_equal(book.encode(vectors), np.load(folder / "codes.npy"))


def test_what_is_no_finished_codebook_is_refused(folder):
    with pytest.raises(BadInput, match="there is no codebook here"):
        Codebook.read(folder.parent)
    np.save(level_file(folder, 1), np.zeros((1, 2, 2), dtype=np.float32))
    with pytest.raises(BadInput, match="level 2 has the shape"):
        Codebook.read(folder)
    level_file(folder, 1).write_bytes(b"")
    with pytest.raises(BadInput, match="not a readable level"):
        Codebook.read(folder)
    level_file(folder, 1).unlink()
    with pytest.raises(BadInput, match=r"level2\.npy: this level of the codebook is missing; learn the codebook again"):
        Codebook.read(folder)
