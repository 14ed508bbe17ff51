"""What the chain's numbers are worth, and how they are to be changed."""

import numpy as np
from scipy.optimize import approx_fprime
from scipy.sparse import random_array

from wordworth.representations.heads.linear_chain import Packing
from wordworth.representations.heads.linear_chain_model import Loss


def test_its_slope_is_that_of_its_loss():
    rng = np.random.default_rng(0)
    packing = Packing.of(np.array([3, 5, 0, 1]))
    features = random_array((9, 6), density=0.5, format="csr", dtype=np.float32, rng=rng)
    loss = Loss(features, rng.integers(3, size=9), packing, 3)
    numbers = rng.normal(size=loss.size)
    measured = approx_fprime(numbers, lambda point: loss(point, 0.1)[0], 1e-3)
    assert np.allclose(loss(numbers, 0.1)[1], measured, atol=0.02)
