"""Vectors of visits and the means of earlier ones; a recommendation reads no later visit and no target of its own."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.training.patient_visits.made_up import made_up_visits, settings

from wordworth.training.patient_visits.recommendation import recommended
from wordworth.training.patient_visits.visit_model import INPUT, TARGET, earlier_mean, encoded, new_model


@pytest.fixture(scope="module")
def model():
    return new_model(settings(), made_up_visits(), (None, None), 0).eval()


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(0, 99))
def test_the_mean_of_earlier_rows_is_that_of_a_loop(lengths, seed):
    first = torch.tensor([start for start, length in zip(np.cumsum([0, *lengths]), lengths) for _ in range(length)])  # noqa: B905 - one more start
    values = torch.randn(len(first), 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    for row, mean in enumerate(earlier_mean(values, first)):
        earlier = values[first[row] : row]
        torch.testing.assert_close(mean, earlier.mean(0) if len(earlier) else torch.zeros(3, dtype=torch.float64))


def test_each_kind_predicts_itself_and_the_other(model):
    vectors = encoded(model, made_up_visits(), np.arange(5))
    assert [each.shape for each in vectors] == [(5, 8), (5, 8)]
    sizes = {(source, kind): model.predicted(vectors, source, kind).shape for source in (0, 1) for kind in (0, 1)}
    assert sizes == {
        (INPUT, INPUT): (5, 4),
        (INPUT, TARGET): (5, 3),
        (TARGET, INPUT): (5, 4),
        (TARGET, TARGET): (5, 3),
    }


@pytest.mark.parametrize(
    ("changed", "visit", "matters"),
    [("targets", 2, False), ("targets", 1, True), ("inputs", 2, True), ("inputs", 1, True)],
)
def test_a_recommendation_reads_earlier_visits_and_its_own_inputs_alone(model, changed, visit, matters):
    visits, rows = made_up_visits(), np.arange(3)
    before = recommended(model, visits, rows)[1]
    flags = getattr(visits, changed).flags
    flags[visit] = ~flags[visit]
    after = recommended(model, visits, rows)[1]
    assert bool((after - before).abs().max() > 1e-6) == matters


def test_a_later_visit_and_another_patient_change_nothing(model):
    visits = made_up_visits()
    before = recommended(model, visits, np.arange(6))[0]
    visits.inputs.flags[2:] = ~visits.inputs.flags[2:]
    torch.testing.assert_close(recommended(model, visits, np.arange(6))[0], before)


def test_the_same_seed_gives_the_same_weights():
    one, same, other = (new_model(settings(), made_up_visits(), (None, None), seed) for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), same.parameters(), strict=True))
    assert not torch.equal(one.recommendation[0].weight, other.recommendation[0].weight)
