"""Methods of distillation: which states each compares, where they are zero, and what cannot be taught."""

import pickle

import pytest
import torch
from tests.training.finetuning.test_trainer import begun

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import pack
from wordworth.training.distillation.methods import METHODS, Weights, state_name

COMPARED = ("pkd-last", "pkd-skip", "distilbert", "tinybert")


def test_each_method_compares_the_published_layers():
    layers = {name: method.layers(12, 6) for name, method in METHODS.items()}
    assert layers["finetune"] == layers["kd"] == ((), ())
    assert layers["pkd-skip"] == ((1, 2, 3, 4, 5), (2, 4, 6, 8, 10))
    assert layers["pkd-last"] == ((1, 2, 3, 4, 5), (7, 8, 9, 10, 11))
    assert layers["distilbert"] == ((6,), (12,))
    assert layers["tinybert"] == ((0, 1, 2, 3, 4, 5, 6), (0, 2, 4, 6, 8, 10, 12))


def read(method, network, layers, batch):
    names = method.names(layers, network.body.tap_names())
    taps = Taps(read=names)
    network(batch, None, taps)
    return method.rows([taps.seen[name][0] for name in names], batch.starts, "mean")


@pytest.mark.parametrize("name", COMPARED)
def test_a_copy_is_no_distance_away_and_another_layer_is(tiny, name):
    _, inputs, run = begun(tiny)
    method, batch = METHODS[name], pack(inputs.tokens[:5])
    layers = (0, 1, 2) if name == "tinybert" else (2,) if name == "distilbert" else (1,)
    others = (2, 1, 2) if name == "tinybert" else (1,) if name == "distilbert" else (2,)
    own, other = (read(method, run.network, each, batch) for each in (layers, others))
    assert len(own) == (len(batch.ids) if method.per_token else 5)
    heads = tiny.model.config.num_heads
    torch.testing.assert_close(method.distance(own, own, batch.starts, heads), torch.zeros(5), atol=1e-5, rtol=0)
    assert (method.distance(own, other, batch.starts, heads) > 1e-4).all()


@pytest.mark.parametrize("name", COMPARED)
def test_the_distance_of_a_text_does_not_depend_on_its_companions(tiny, name):
    _, inputs, run = begun(tiny)
    method, heads = METHODS[name], tiny.model.config.num_heads
    layers, others = (0, 1, 2) if name == "tinybert" else (1,), (0, 2, 2) if name == "tinybert" else (2,)

    def distances(batch):
        pair = (read(method, run.network, each, batch) for each in (layers, others))
        return method.distance(*pair, batch.starts, heads)

    together = distances(pack(inputs.tokens[:6]))
    alone = torch.cat([distances(pack([tokens])) for tokens in inputs.tokens[:6]])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-4)


def test_tinybert_learns_states_first_and_then_answers():
    method, chosen = METHODS["tinybert"], Weights(2.0, 0.3, 4.0)
    first, second = (method.terms(chosen, fraction) for fraction in (0.49, 0.5))
    assert first == (0.0, 0.0, 4.0)
    assert second == (0.7, 0.3, 0.0)
    assert method.weights.alpha == 1.0  # the labels have no part in its second half


def test_weights_of_distilbert_are_those_of_its_publication():
    weights = METHODS["distilbert"].weights
    parts = weights.alpha, 1 - weights.alpha, weights.beta
    assert [part / weights.beta for part in parts] == pytest.approx([5, 2, 1])


def test_the_last_state_is_that_after_the_final_norm_where_there_is_one():
    known = ["layers.0.output", "layers.1.output"]
    assert [state_name(layer, known) for layer in range(3)] == ["embedding", "layers.0.output", "layers.1.output"]
    assert state_name(2, [*known, "final_norm"]) == "final_norm"


def test_what_cannot_be_taught_is_refused():
    for name in ("pkd-skip", "pkd-last"):
        with pytest.raises(BadInput, match=r"a student of 1 layer has none.*kd"):
            METHODS[name].layers(6, 1)


def test_methods_are_sent_to_other_processes():
    assert pickle.loads(pickle.dumps(METHODS)) == METHODS  # noqa: S301 - our own
