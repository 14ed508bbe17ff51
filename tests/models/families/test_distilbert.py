from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.models.tiny import write_tiny

from wordworth.models.families.base import Fields
from wordworth.models.families.distilbert import DISTILBERT
from wordworth.models.load import load

PUBLISHED = Fields({}, "")
"""A file without a field: each has the value of the published `distilbert-base-uncased`."""


def test_the_published_model_has_as_many_numbers():
    """66 million: Sanh et al. 2019, table 3."""
    with torch.device("meta"):
        model = DISTILBERT.build(DISTILBERT.read(PUBLISHED))
    assert sum(parameter.numel() for parameter in model.parameters()) == 66_362_880


@given(
    heads=st.integers(1, 8),
    layers=st.integers(1, 12),
    activation=st.sampled_from(["gelu_erf", "gelu_tanh", "relu"]),
    dropout=st.floats(0, 0.9),
)
def test_a_config_that_was_written_is_read_as_it_was(heads, layers, activation, dropout):
    config = replace(
        DISTILBERT.read(PUBLISHED), hidden_size=8 * heads, num_heads=heads, num_layers=layers, activation=activation,
        dropout=dropout,
    )  # fmt: skip
    assert DISTILBERT.read(Fields(DISTILBERT.write(config), "")) == config


@pytest.mark.parametrize("name", ["segments", "pooler"])
def test_it_has_neither_segments_nor_a_pooler(name):
    assert not getattr(DISTILBERT.read(PUBLISHED), name)
    with torch.device("meta"):
        model = DISTILBERT.build(DISTILBERT.read(PUBLISHED))
    assert not [key for key in model.state_dict() if name.removesuffix("s") in key]


def test_a_folder_is_read_with_every_tensor_under_its_own_name(tmp_path):
    encoder = load(write_tiny(tmp_path / "tiny", "distilbert"))
    assert (encoder.width, encoder.depth, encoder.max_length) == (32, 2, 24)
    theirs = DISTILBERT.table.to_checkpoint(encoder.model.state_dict())
    assert "transformer.layer.1.sa_layer_norm.weight" in theirs
    assert "embeddings.position_embeddings.weight" in theirs
