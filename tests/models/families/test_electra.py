import torch
from tests.models.tiny import write_tiny

from wordworth.models.families.base import Fields
from wordworth.models.families.electra import ELECTRA
from wordworth.models.load import load

SMALL = {"embedding_size": 128, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024}


def test_electra_small_has_as_many_numbers():
    """13.5 million: 12 layers of 789,760, tables of width 128, and a map from 128 to 256."""
    with torch.device("meta"):
        model = ELECTRA.build(ELECTRA.read(Fields(SMALL, "")))
    embeddings = (30_522 + 512 + 2) * 128 + 2 * 128 + 256 * 129
    assert sum(parameter.numel() for parameter in model.parameters()) == 12 * 789_760 + embeddings


def test_what_is_written_is_read_again():
    config = ELECTRA.read(Fields(SMALL, ""))
    assert ELECTRA.read(Fields(ELECTRA.write(config), "")) == config
    assert not config.has_pooler


def test_vectors_are_as_wide_as_the_states(tmp_path):
    assert load(write_tiny(tmp_path / "tiny", "electra")).encode(["the cab"]).shape == (1, 32)
