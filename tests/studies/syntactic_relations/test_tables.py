"""A map's number is its layer, head and direction."""

import pytest

from wordworth.studies.syntactic_relations.tables import columns_of

HEADS = tuple((layer, head) for layer in range(2) for head in range(12))


@pytest.mark.parametrize(
    ("number", "where"),
    [
        (0, (1, 1, "from dependent")),
        (1, (1, 1, "to dependent")),
        (24, (2, 1, "from dependent")),
        (47, (2, 12, "to dependent")),
    ],
)
def test_maps_are_in_the_order_of_layers_heads_and_directions(number, where):
    assert tuple(columns_of(number, HEADS).values()) == where


def test_heads_of_a_pruned_model_keep_their_numbers():
    assert columns_of(3, ((0, 4), (2, 1))) == {"layer": 3, "head": 2, "direction": "to dependent"}
