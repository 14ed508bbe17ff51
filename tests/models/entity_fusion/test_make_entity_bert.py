"""A model with entities is made of a BERT: all of its weights, new ones for entities, and markers in its vocabulary."""

import numpy as np
import pytest
import torch
from tests.models.entity_fusion.fused import ENTITIES, SIZE, write_fused, write_table
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.inference.fuse_entities import fuse_entities
from wordworth.models.entity_fusion.entity_table import read_entity_table
from wordworth.models.read_encoder import read_encoder


def test_half_of_the_layers_fuse_and_the_table_is_in_the_model(fused_folder):
    model = read_encoder(fused_folder).model
    config = model.config
    assert (config.entities, config.entity_size, config.entity_heads, config.fused_layers) == (ENTITIES, SIZE, 4, 1)
    table = read_entity_table(fused_folder.parent / "kg")
    np.testing.assert_array_equal(model.body.entities.numpy(), table.scaled())


def test_markers_are_new_pieces_with_different_rows(fused_folder):
    encoder = read_encoder(fused_folder)
    rows = [encoder.tokenizer.vocabulary[marker] for marker in ("[HD]", "[TL]", "[ENT]")]
    words = encoder.model.embedding.word.weight[rows]
    assert len(torch.unique(words, dim=0)) == 3


def test_the_same_seed_gives_the_same_model_and_another_one_another(tmp_path):
    first, again, other = (
        read_encoder(write_fused(tmp_path / name, layers=2, seed=seed)).model.state_dict()
        for name, seed in (("a", 0), ("b", 0), ("c", 1))
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["body.layers.0.entity_up.weight"], other["body.layers.0.entity_up.weight"])


def test_heads_over_entities_divide_their_width(tmp_path):
    write_tiny(tmp_path / "encoder")
    fuse_entities(str(tmp_path / "encoder"), write_table(tmp_path / "kg", size=9), tmp_path / "out")
    assert read_encoder(tmp_path / "out").model.config.entity_heads == 3


@pytest.mark.parametrize(
    ("kind", "layers", "message"),
    [("roberta", None, "WordPiece|plain BERT"), ("bert", 3, "3 layers cannot fuse"), ("bert", 0, "0 is out of range")],
)
def test_another_model_or_number_of_layers_is_refused_and_nothing_written(tmp_path, kind, layers, message):
    folder = write_tiny(tmp_path / "encoder", kind)
    with pytest.raises(BadInput, match=message):
        fuse_entities(str(folder), write_table(tmp_path / "kg"), tmp_path / "out", layers=layers)
    assert not (tmp_path / "out").exists()
