"""The length of a training on a few labels."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.representations.few_shot_settings import FewShotTraining


def test_forty_pairs_a_text_up_to_a_number_of_updates():
    plan = FewShotTraining().plan
    assert plan(np.full(16, 10)).steps == 16 * 40 / 16
    assert plan(np.full(1000, 10)).steps == 400
    assert plan(np.full(16, 10)).tokens == 40 * 16 * 10
    assert plan(np.full(0, 10)).steps == 0


def test_a_rate_of_zero_is_refused():
    with pytest.raises(BadInput, match="learning_rate"):
        FewShotTraining(learning_rate=0)
