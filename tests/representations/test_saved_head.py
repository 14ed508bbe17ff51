"""A linear head as arrays and facts is the same head again."""

import json

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.representations.feature_blocks import Scaling
from wordworth.representations.heads.linear_head import FittedLinear, Linear
from wordworth.representations.heads.scalar_mix import FittedScalarMix
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.representations.saved_head import head_from, head_state, scaling_arrays, scaling_from

RNG = np.random.default_rng(0)
DENSE = Scaling(RNG.normal(size=6).astype(np.float32), RNG.random(6).astype(np.float32))
LINEAR = FittedLinear(
    "mix",
    {"view": "mix", "strength": 1.0, "tau": 0.5, "converged": True},
    DENSE,
    Linear(RNG.normal(size=(6, 3)).astype(np.float32), np.array([0.1, -np.inf, 2.0])),
    "classification",
    Calibration(2.0, 40, (0.1, 0.2, 0.3)),
)


@pytest.mark.parametrize("head", [LINEAR, FittedScalarMix(LINEAR, (2, 6), np.array([0.25, 0.75]))])
def test_a_head_predicts_the_same(head):
    facts, arrays = head_state(head)
    again = head_from(json.loads(json.dumps(facts)), arrays, "classification")
    features = RNG.normal(size=(4, 12 if isinstance(head, FittedScalarMix) else 6)).astype(np.float32)
    assert np.array_equal(again.predict(features), head.predict(features))
    assert (again.view, again.calibration, again.chosen) == (head.view, head.calibration, head.chosen)


def test_a_scaling_of_sparse_features_has_no_mean():
    sparse = Scaling(None, np.ones(1, np.float32))
    assert scaling_from("a.", scaling_arrays("a.", sparse)).mean is None
    with pytest.raises(KeyError, match="factor"):
        scaling_from("b.", scaling_arrays("a.", sparse))


def test_a_head_that_is_neither_linear_nor_a_tagger_is_refused():
    with pytest.raises(BadInput, match="neither linear nor a tagger"):
        head_state(object())
