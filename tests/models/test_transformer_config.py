import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.models.transformer_config import TransformerConfig


@given(every=st.integers(1, 5), layer=st.integers(0, 20))
def test_every_nth_layer_from_the_first_is_global(every, layer):
    config = TransformerConfig(window=4, global_every=every)
    assert config.is_local(layer) == (layer % every > 0)


@given(layer=st.integers(0, 20))
def test_without_a_window_no_layer_is_local(layer):
    assert not TransformerConfig(global_every=3).is_local(layer)


def test_heads_that_were_pruned_are_not_kept():
    config = TransformerConfig(num_layers=2, num_heads=4, hidden_size=8, pruned_heads=((1, 3), ()))
    assert [config.kept_heads(layer) for layer in range(2)] == [[0, 2], [0, 1, 2, 3]]


def test_a_width_that_heads_cannot_share_is_refused():
    with pytest.raises(ValueError, match="not a multiple"):
        TransformerConfig(hidden_size=10, num_heads=4)


def test_a_layer_keeps_one_head():
    with pytest.raises(ValueError, match="keep one"):
        TransformerConfig(num_layers=1, num_heads=2, hidden_size=8, pruned_heads=((0, 1),))


def test_a_sequence_is_as_long_as_the_rows_of_its_table_after_the_first():
    assert TransformerConfig(max_positions=514, first_position=2).max_length == 512
