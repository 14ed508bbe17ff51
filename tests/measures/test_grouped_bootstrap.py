import numpy as np
import pytest

from wordworth.measures.grouped_bootstrap import share_draws


def test_items_of_one_group_come_and_go_together():
    right = np.repeat([1.0, 0.0], 50)[:, None]
    apart = share_draws(right, np.ones(100), np.arange(100), 400, np.random.default_rng(0))
    together = share_draws(right, np.ones(100), np.repeat([0, 1], 50), 400, np.random.default_rng(0))
    assert apart.std() < 0.07
    assert set(np.unique(together)) == {0.0, 0.5, 1.0}


def test_draws_lie_around_the_share():
    rng = np.random.default_rng(0)
    right, asked = rng.integers(0, 2, (500, 2)).astype(float), rng.integers(1, 3, 500).astype(float)
    found = share_draws(right, asked, rng.integers(0, 40, 500), 2_000, rng)
    assert found.mean(axis=0) == pytest.approx(right.sum(axis=0) / asked.sum(), abs=0.01)


def test_columns_share_their_draws():
    right = np.random.default_rng(0).integers(0, 2, 80).astype(float)
    found = share_draws(np.stack([right, right], axis=1), np.ones(80), np.arange(80), 50, np.random.default_rng(1))
    assert np.array_equal(found[:, 0], found[:, 1])
