import pytest
import torch
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.families.base import Fields
from wordworth.models.families.mpnet import MPNET
from wordworth.models.load import load

BASE = {"vocab_size": 30_527, "max_position_embeddings": 514, "relative_attention_num_buckets": 32}


def test_mpnet_base_has_as_many_numbers():
    """109.5 million: 12 layers of 7,087,872, embeddings of 30,527 words and 514 positions, a bias of 12 heads."""
    with torch.device("meta"):
        model = MPNET.build(MPNET.read(Fields(BASE, "")))
    embeddings = (30_527 + 514) * 768 + 2 * 768
    assert sum(parameter.numel() for parameter in model.parameters()) == (
        12 * 7_087_872 + embeddings + 768 * 769 + 32 * 12
    )


def test_what_is_written_is_read_again():
    config = MPNET.read(Fields(BASE, ""))
    assert config.max_length == 512
    assert not config.has_segments
    assert MPNET.read(Fields(MPNET.write(config), "")) == config


def test_a_damaged_number_of_buckets_is_refused():
    with pytest.raises(BadInput, match="relative_attention_num_buckets"):
        MPNET.read(Fields({**BASE, "relative_attention_num_buckets": 2}, "config.json"))


def test_a_short_text_has_the_same_vector_beside_a_long_one(tmp_path):
    encoder = load(write_tiny(tmp_path / "tiny", "mpnet"))
    alone = encoder.encode(["the cab"])
    beside = encoder.encode(["the cab", "a " * 20])[:1]
    assert alone == pytest.approx(beside, abs=1e-5)
