"""Smaller copies of an encoder: which they are, in which order."""

from itertools import chain

from tests.models.tiny import write_tiny

from wordworth.models.read_encoder import read_encoder
from wordworth.studies.remove_heads_and_layers import fewer_heads, fewer_layers

ORDER = [(0, 0), (1, 1), (0, 2), (1, 3), (0, 1), (1, 0)]


def test_heads_go_in_their_order_and_layers_from_the_top(tmp_path):
    model = read_encoder(write_tiny(tmp_path, "bert")).model
    smaller = list(chain(fewer_heads(model, ORDER, additional_number=4), fewer_layers(model)))
    assert [name for name, _ in smaller] == [
        "2 heads removed", "3 heads removed", "4 heads removed", "5 heads removed", "6 heads removed", "first 1 layer",
    ]  # fmt: skip
    assert smaller[0][1].config.pruned_heads == ((0,), (1,))
    assert smaller[-1][1].config.num_layers == 1
