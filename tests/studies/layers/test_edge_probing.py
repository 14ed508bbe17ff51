"""Expected layers with intervals, and what has none."""

import numpy as np
import pytest

from wordworth.measures.expected_layer import expected_layer
from wordworth.studies.layers.edge_probing import EdgeProbing, finite_interval
from wordworth.studies.layers.probe_trainer import Counts, f1_draws


def probing(scores, texts=400):
    rng = np.random.default_rng(0)
    luck = rng.random(texts)
    counts = [Counts(2.0 * (luck < score), np.full(texts, 2.0)) for score in scores]
    measured = [*counts, *counts, counts[0], counts[-1]]
    return EdgeProbing(
        counts, counts, measured[-2:], np.full(len(scores), 1 / len(scores)), f1_draws(measured, 500, rng)
    )


def test_the_expected_layer_is_that_of_the_scores_with_an_interval_around_it():
    found = probing([0.5, 0.8, 0.9, 0.9])
    value, drawn = found.expected
    assert value == pytest.approx(float(expected_layer(found.scores)))
    ends = finite_interval(drawn)
    assert ends.low < value < ends.high
    assert found.expected_again[0] == value
    assert found.depth == 3


def test_a_task_that_words_alone_solve_has_neither_layer_nor_interval():
    value, drawn = probing([0.9, 0.9, 0.9]).expected
    assert np.isnan(value)
    assert np.isnan(finite_interval(drawn).low)


def test_a_few_draws_without_a_value_do_not_spoil_an_interval():
    drawn = np.append(np.linspace(1, 2, 999), np.nan)
    assert finite_interval(drawn).low == pytest.approx(1.025, abs=0.01)
