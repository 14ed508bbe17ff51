"""Importance is |dL/dxi| of a factor on a head's output; heads without effect have none, and go first."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.inference.tuned_model import write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance, pruning_order
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.progress import SILENT
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module", params=["single", "regression", "tags", "multilabel"])
def network_and_examples(request, tmp_path_factory):
    network = read_run(write_tuned(tmp_path_factory.mktemp("tuned"), kind=request.param)).network
    task = sample_task(request.param)
    return network.tuned, labelled_inputs(network, task, task.test[:12])


def importance_of(tuned, examples):
    with SILENT.step("importance", len(examples)) as step:
        return head_importance(tuned, examples, step)


def gradient_by_scale(tuned, examples, unit):
    """dL/dxi of one example by autograd, [layers, heads]."""
    scale = torch.ones(2, 4, requires_grad=True)
    units = np.array([unit])
    scores = tuned.network(examples.inputs.batch(units), None, None, scale)
    tuned.head.loss(scores, examples.targets, examples.inputs, units).sum.backward()
    return scale.grad.numpy()


def test_importance_is_the_mean_absolute_derivative_by_a_factor_on_the_head(network_and_examples):
    tuned, examples = network_and_examples
    expected = np.mean([np.abs(gradient_by_scale(tuned, examples, unit)) for unit in range(len(examples))], axis=0)
    importance = importance_of(tuned, examples)
    assert np.allclose(importance.by_example, expected, rtol=1e-4, atol=1e-7)
    assert importance.by_example.max() > 0


def test_importance_by_position_is_never_less_than_the_exact_one_per_token(network_and_examples):
    tuned, examples = network_and_examples
    importance, tokens = importance_of(tuned, examples), examples.inputs.sizes.sum()
    assert np.all(importance.by_position * tokens >= importance.by_example * len(examples) - 1e-9)
    assert importance.mean_output.shape == (2, 4, 8)


def test_importance_by_position_is_the_mean_of_the_absolute_value_at_each_token(network_and_examples):
    """Michel et al.'s code: |context . gradient of the context|, absolute at each position; read here by hooks."""
    tuned, examples = network_and_examples
    inputs, total, signed = [], np.zeros((2, 4)), np.zeros((2, 4))
    layers = [layer.attention.output for layer in tuned.network.body.layers]
    hooks = [layer.register_forward_pre_hook(lambda _, given: inputs.append(given[0])) for layer in layers]
    for unit in range(len(examples)):
        inputs.clear()
        units = np.array([unit])
        scores = tuned.network(examples.inputs.batch(units), None, None, torch.ones(2, 4, requires_grad=True))
        loss = tuned.head.loss(scores, examples.targets, examples.inputs, units).sum
        pairs = zip(inputs, torch.autograd.grad(loss, inputs), strict=True)
        products = [(each * grad).detach().unflatten(1, (4, 8)).sum(2).double().numpy() for each, grad in pairs]
        total += [np.abs(each).sum(0) for each in products]
        signed += [np.abs(each.sum(0)) for each in products]
    for hook in hooks:
        hook.remove()
    importance = importance_of(tuned, examples)
    assert np.allclose(importance.by_position, total / examples.inputs.sizes.sum(), rtol=1e-4, atol=1e-7)
    assert np.allclose(importance.by_example, signed / len(examples), rtol=1e-4, atol=1e-7)


def test_a_head_that_adds_nothing_has_no_importance(network_and_examples):
    tuned, examples = network_and_examples
    with torch.no_grad():
        kept = tuned.network.body.layers[1].attention.output.weight[:, 8:16].clone()
        tuned.network.body.layers[1].attention.output.weight[:, 8:16] = 0
    importance = importance_of(tuned, examples)
    with torch.no_grad():
        tuned.network.body.layers[1].attention.output.weight[:, 8:16] = kept
    assert importance.by_example[1, 1] == importance.by_position[1, 1] == 0
    assert pruning_order(importance.by_example)[0] == (1, 1)


@given(arrays.arrays(np.float64, (3, 4), elements=st.floats(1e-6, 10)), st.booleans())
def test_an_order_names_each_head_once_but_one_of_each_layer(importance, reverse):
    order = pruning_order(importance, reverse=reverse)
    assert len(set(order)) == len(order) == 9
    missing = {(layer, head) for layer in range(3) for head in range(4)} - set(order)
    assert sorted(layer for layer, _ in missing) == [0, 1, 2]
    for layer, head in missing:
        assert importance[layer, head] == (importance[layer].min() if reverse else importance[layer].max())


def test_heads_of_several_layers_are_compared_by_their_share_of_the_layers_norm():
    importance = np.array([[3.0, 4.0], [0.01, 100.0]])
    assert pruning_order(importance) == [(1, 0), (0, 0)]
    assert pruning_order(importance, reverse=True) == [(1, 1), (0, 1)]
