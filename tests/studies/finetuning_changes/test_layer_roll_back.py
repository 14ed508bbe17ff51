"""Layer roll-back: nothing reset is the model; everything is the pretrained encoder under the fine-tuned head."""

import numpy as np
import pytest
import torch

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import predict
from wordworth.models.load import load
from wordworth.studies.finetuning_changes.layer_roll_back import ALL, is_reset, parts, predict_reset
from wordworth.studies.finetuning_changes.loss_landscape import rows_of
from wordworth.studies.finetuning_changes.loss_surface import under_head, weights_of
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def tuned(run):
    network = read_run(run).network
    return network, network.tuned.exact


@pytest.fixture(scope="module")
def start(tuned, encoder):
    return under_head(tuned[1], load(str(encoder)).model)


def test_everything_reset_is_the_pretrained_encoder_under_the_fine_tuned_head(tuned, start, encoder):
    network, exact = tuned
    examples = rows_of(network, sample_task("single"))
    reset = predict_reset(exact, start, examples, ALL, (1, 2))
    assert np.array_equal(reset, predict(exact.with_encoder(load(str(encoder)).model), examples))
    assert not np.array_equal(reset, predict(exact, examples))


def test_nothing_reset_is_the_model_and_its_weights_are_kept(tuned, start):
    network, exact = tuned
    examples = rows_of(network, sample_task("single"))
    before = {name: value.clone() for name, value in weights_of(exact).items()}
    whole = predict(exact, examples)
    assert np.array_equal(predict_reset(exact, start, examples, "none", ()), whole)
    predict_reset(exact, start, examples, "layer 1", (1,))
    assert all(torch.equal(value, before[name]) for name, value in weights_of(exact).items())


def test_thirds_cover_every_layer_once():
    for layers in (1, 2, 3, 6, 7, 12, 24):
        named = parts(layers)
        thirds = [layer for name in ("bottom", "middle", "top") for layer in named.get(name, ())]
        assert thirds == list(range(1, layers + 1)) == list(named[ALL])


def test_a_part_resets_its_own_weights_alone(start):
    assert is_reset("body.layers.1.mlp.up.weight", "layer 2", (2,))
    assert not is_reset("body.layers.11.mlp.up.weight", "layer 2", (2,))
    assert not is_reset("output.weight", ALL, (1, 2))
    assert sum(is_reset(name, "embedding", ()) for name in start) == sum(name.startswith("embedding") for name in start)
