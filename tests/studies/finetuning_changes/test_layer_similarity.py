"""CKA by layer with intervals over texts: the jackknife by hand, and equal states are 1 with no width."""

import numpy as np
import pytest
from tests.studies.new_parts import new_parts

from wordworth.measures.cka import linear_cka
from wordworth.progress import STILL
from wordworth.studies.finetuning_changes.compare_representations import RUN, START, Compared
from wordworth.studies.finetuning_changes.layer_similarity import GROUPS, similarity


def compared(noise):
    rng = np.random.default_rng(0)
    start = rng.normal(size=(2, 120, 5)).astype(np.float32)
    run = start + noise * rng.normal(size=start.shape).astype(np.float32)
    text = np.repeat(np.arange(40), 3)
    return Compared({START: start, RUN: run}, text, {}, (), text, {(START, RUN): np.zeros((40, 1))}, {}, {})


def test_equal_states_are_one_without_width():
    found = similarity(compared(0.0), np.random.default_rng(0), new_parts(), STILL)
    assert found.values[START, RUN] == pytest.approx([1, 1])
    for ends in found.interval(lambda values: values[START, RUN]):
        assert ends.low == pytest.approx(1)
        assert ends.high == pytest.approx(1)


def test_whole_texts_are_left_out_in_turn():
    made = compared(1.0)
    found = similarity(made, np.random.default_rng(0), new_parts(), STILL)
    group = (np.random.default_rng(0).permutation(40) % GROUPS)[made.drawn]
    layer = made.states[START][0], made.states[RUN][0]
    by_hand = [linear_cka(layer[0][group != number], layer[1][group != number]) for number in range(GROUPS)]
    assert found.without[START, RUN][:, 0] == pytest.approx(by_hand)
    spread = np.sqrt((GROUPS - 1) / GROUPS * ((by_hand - np.mean(by_hand)) ** 2).sum())
    ends = found.interval(lambda values: values[START, RUN])[0]
    assert ends.high - ends.low == pytest.approx(2 * 2.262157 * spread, rel=1e-5)
