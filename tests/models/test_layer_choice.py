"""Layers are chosen by number, from the input layer or from the last, and read in the order asked for."""

import pytest
import torch

from wordworth.errors import NotFound
from wordworth.models.batch import Batch
from wordworth.models.layer_choice import layer_numbers, layer_reader, layers_in_turn


@pytest.mark.parametrize(
    ("layers", "numbers"),
    [("all", (0, 1, 2, 3)), (0, (0,)), (-1, (3,)), (-4, (0,)), ([3, 1], (3, 1)), ((2, 2), (2, 2)), ([], ())],
)
def test_numbers_count_from_the_input_layer_and_negative_ones_from_the_last(layers, numbers):
    assert layer_numbers(layers, 3) == numbers


@pytest.mark.parametrize("layers", [4, -5, [0, 9], "last"])
def test_a_layer_that_the_model_lacks_is_refused_with_those_it_has(layers):
    with pytest.raises(NotFound, match="0 to 3"):
        layer_numbers(layers, 3)


class Counting:
    """A model of four layers whose state in layer k is k; it counts how many layers were computed."""

    def __init__(self):
        self.computed = 0

    def __call__(self, batch):
        return torch.full((len(batch.ids), 2), 3.0, dtype=torch.bfloat16)

    def states(self, batch):
        for layer in range(4):
            self.computed += 1
            yield torch.full((len(batch.ids), 2), float(layer), dtype=torch.bfloat16)


def batch(tokens):
    zeros = torch.zeros(tokens, dtype=torch.int64)
    return Batch(zeros, zeros, torch.tensor([0, tokens]))


def test_states_come_in_the_order_of_the_numbers_as_float32():
    states = layer_reader(Counting(), (2, 0, 2), depth=3, width=2)(batch(3))
    assert states.dtype == torch.float32
    assert states[:, :, 0].tolist() == [[2, 0, 2]] * 3


def test_no_layer_above_the_highest_is_computed():
    model = Counting()
    layer_reader(model, (0, 1), depth=3, width=2)(batch(1))
    assert model.computed <= 3


def test_the_last_layer_alone_is_read_without_the_states_below():
    model = Counting()
    states = layer_reader(model, (3,), depth=3, width=2)(batch(3))
    assert states.dtype == torch.float32
    assert states[:, :, 0].tolist() == [[3]] * 3
    assert model.computed == 0


def test_layers_in_turn_are_those_of_the_block_and_none_above_is_computed():
    model = Counting()
    layers = [state[:, 0].tolist() for state in layers_in_turn(model, (0, 2))(batch(3))]
    assert layers == [[0.0] * 3, [2.0] * 3]
    assert model.computed == 3


@pytest.mark.parametrize("numbers", [(), (2,), (2, 0), (1, 1)])
def test_one_layer_and_layers_out_of_order_are_read_as_a_block(numbers):
    assert layers_in_turn(Counting(), numbers) is None
