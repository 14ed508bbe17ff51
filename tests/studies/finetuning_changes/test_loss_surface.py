"""The loss on lines and planes: at starts and ends that of the models themselves; weights are restored to the bit."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional

from wordworth.inference.finetuned_run import read_run
from wordworth.models.load import load
from wordworth.studies.finetuning_changes.loss_landscape import rows_of
from wordworth.studies.finetuning_changes.loss_surface import (
    LossSurface,
    difference,
    filter_normalised,
    inner,
    norm,
    random_direction,
    rescaled,
    under_head,
    weights_of,
)
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def network(run):
    return read_run(run).network


@pytest.fixture(scope="module")
def examples(network):
    task = sample_task("single")
    return rows_of(network, replace(task, train=task.train[:0]))


@pytest.fixture(scope="module")
def ends(network, encoder):
    end = {name: value.clone() for name, value in weights_of(network.tuned).items()}
    return under_head(network.tuned, load(str(encoder)).model), end


def test_the_loss_is_the_mean_cross_entropy_of_the_scores(network, examples):
    losses = LossSurface(network.tuned, examples).losses()
    exact = replace(network.tuned, predictor=network.tuned.network)
    scores = torch.from_numpy(np.concatenate(exact.scores(examples.inputs)))
    gold = torch.from_numpy(np.asarray(examples.labels))
    assert losses.means[0] == pytest.approx(float(functional.cross_entropy(scores, gold)), rel=1e-5)
    assert losses.counts.tolist() == [1] * len(examples)


def test_start_and_end_of_a_line_have_the_losses_of_the_models_to_the_bit(network, examples, ends, encoder):
    surface = LossSurface(network.tuned, examples)
    at_start, at_end = surface.between(*ends, [(0.0, 0.0), (1.0, 0.0)])
    start = LossSurface(network.tuned.with_encoder(load(str(encoder)).model), examples).losses()
    assert np.array_equal(at_start.sums, start.sums)
    assert np.array_equal(at_end.sums, surface.losses().sums)
    assert not np.array_equal(at_start.sums, at_end.sums)


def test_the_same_holds_on_the_plane(network, examples, ends):
    start, end = ends
    moved = difference(end, start)
    other = rescaled(random_direction(moved, 0), norm(moved))
    assert norm(other) == pytest.approx(norm(moved), rel=1e-5)
    surface = LossSurface(network.tuned, examples)
    zero, one, aside = surface.between(start, end, [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], other)
    line = list(surface.between(start, end, [(0.0, 0.0), (1.0, 0.0)]))
    assert np.array_equal(zero.sums, line[0].sums)
    assert np.array_equal(one.sums, line[1].sums)
    assert not np.array_equal(one.sums, aside.sums)


def test_weights_are_restored_to_the_bit_even_after_an_error(network, examples, ends):
    surface = LossSurface(network.tuned, examples)
    list(surface.between(*ends, [(0.3, 0.0), (-0.5, 0.0)]))
    list(surface.along(ends[1], random_direction(difference(*ends[::-1]), 0), [0.5]))
    broken = surface.between(*ends, [(0.5, 0.0), (0.7, 0.0)])
    next(broken)
    with pytest.raises(RuntimeError, match="stopped"):
        broken.throw(RuntimeError("stopped"))
    assert all(torch.equal(value, ends[1][name]) for name, value in weights_of(network.tuned).items())


def test_filters_of_a_normalised_direction_have_the_norms_of_the_weights(ends):
    start, end = ends
    made = filter_normalised(random_direction(difference(end, start), 1), end)
    assert made
    for name, value in made.items():
        assert torch.allclose(value.norm(dim=-1), end[name].norm(dim=-1), rtol=1e-4, atol=1e-6)


def test_only_the_encoder_moves_on_a_line(ends):
    start, end = ends
    moved = difference(end, start)
    assert not any(name.startswith("output") for name in moved)
    assert torch.equal(start["output.weight"], end["output.weight"])
    assert inner(moved, moved) == pytest.approx(norm(moved) ** 2)
