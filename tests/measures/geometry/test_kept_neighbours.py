"""The share of neighbours that a projection keeps."""

import numpy as np
import pytest

from wordworth.measures.geometry import kept_neighbours as module
from wordworth.measures.geometry.kept_neighbours import kept_neighbours

POINTS = np.random.default_rng(0).normal(size=(40, 5))


def slowly(vectors, places, k):
    near = [
        {tuple(row) for row in np.argsort(np.linalg.norm(points - points[each], axis=1))[1 : k + 1, None]}
        for points in (vectors, places)
        for each in range(len(vectors))
    ]
    return np.mean([len(near[each] & near[each + len(vectors)]) / k for each in range(len(vectors))])


@pytest.mark.parametrize("at_once", [7, 512])
def test_it_is_the_mean_share_over_points(monkeypatch, at_once):
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    assert kept_neighbours(POINTS, POINTS[:, :2], 6) == pytest.approx(slowly(POINTS, POINTS[:, :2], 6))


def test_a_turned_space_keeps_all_neighbours_and_one_of_all_others_too():
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))
    assert kept_neighbours(POINTS, POINTS @ turn * 3 + 1, 6) == 1
    assert kept_neighbours(POINTS, np.random.default_rng(2).normal(size=(40, 2)), 39) == 1


def test_places_by_chance_keep_what_chance_gives():
    points, places = (np.random.default_rng(seed).normal(size=(400, 2)) for seed in (3, 4))
    assert kept_neighbours(points, places, 10) == pytest.approx(10 / 399, abs=0.01)
