"""Online coding of labels: blocks, and the area under the learning curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.description_length import block_ends, online_code


@given(st.integers(1, 5_000), st.integers(0, 12))
def test_blocks_double_what_was_sent_and_end_with_the_last_item(items, halvings):
    ends = block_ends(items, halvings)
    assert ends[-1] == items
    assert ends[0] >= 1
    assert (np.diff(ends) > 0).all()
    assert (ends[1:] <= 2 * ends[:-1] + 1).all()
    assert len(ends) <= halvings + 1


def test_a_code_by_hand():
    assert block_ends(64, 3).tolist() == [8, 16, 32, 64]
    code = online_code([8, 8, 16], [np.log(2), np.log(4)], 3.0)
    assert code == pytest.approx(8 * 3 + 8 * 1 + 16 * 2)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_a_model_that_learns_nothing_codes_like_the_uniform_code(targets):
    uniform = np.log2(17)
    code = online_code(targets, [np.log(17)] * (len(targets) - 1), uniform)
    assert code == pytest.approx(sum(targets) * uniform)


def test_it_is_the_area_under_the_steps_of_the_log_loss():
    targets, losses = [10, 10, 20, 40], [1.2, 0.7, 0.4]
    heights = np.repeat([np.log(5), *losses], targets) / np.log(2)
    assert online_code(targets, losses, np.log2(5)) == pytest.approx(heights.sum())
