"""Places in a plane keep near points near, and are finite for few, narrow and equal points."""

import numpy as np
import pytest

from wordworth.studies.corpus_map.projection import NEIGHBOURS, projected, text_map


def groups(rows: int = 60, width: int = 6) -> np.ndarray:
    draw = np.random.default_rng(0)
    return (9 * np.eye(3, width)[np.arange(rows) % 3] + draw.normal(size=(rows, width))).astype(np.float32)


def test_groups_that_lie_apart_lie_apart_in_the_plane():
    places = projected(groups(), np.random.default_rng(0))
    centres = np.array([places[each::3].mean(axis=0) for each in range(3)])
    nearest = np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == np.arange(60) % 3).all()


def test_the_same_generator_gives_the_same_places():
    first, again = (projected(groups(30), np.random.default_rng(5)) for _ in range(2))
    assert (first == again).all()


@pytest.mark.parametrize("vectors", [groups(4), groups(12, 3)[:, :1], np.ones((9, 3), np.float32)])
def test_few_narrow_and_equal_points_have_finite_places(vectors):
    places = projected(vectors, np.random.default_rng(0))
    assert places.shape == (len(vectors), 2)
    assert np.isfinite(places).all()


def test_a_map_says_how_many_neighbours_it_keeps():
    found = text_map(groups(), np.arange(60), np.random.default_rng(0))
    assert found.neighbours == NEIGHBOURS
    assert NEIGHBOURS / 59 < found.kept_share <= 1
    assert text_map(groups(4), np.arange(4), np.random.default_rng(0)).neighbours == 3
