import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.models.tiny import write_tiny

from wordworth.models.families.base import Fields
from wordworth.models.families.roberta import ROBERTA
from wordworth.models.load import load

BASE = {"vocab_size": 50_265, "max_position_embeddings": 514, "type_vocab_size": 1, "pad_token_id": 1}


def test_roberta_base_has_as_many_numbers():
    """124.6 million: 12 layers of 7,087,872, embeddings of 50,265 words, 514 positions and one segment, a pooler."""
    with torch.device("meta"):
        model = ROBERTA.build(ROBERTA.read(Fields(BASE, "")))
    embeddings = (50_265 + 514 + 1) * 768 + 2 * 768
    assert sum(parameter.numel() for parameter in model.parameters()) == 12 * 7_087_872 + embeddings + 768 * 769


@given(padding=st.integers(0, 3), positions=st.integers(10, 600))
def test_positions_start_one_past_the_padding_and_are_written_so(padding, positions):
    raw = {**BASE, "pad_token_id": padding, "max_position_embeddings": positions}
    config = ROBERTA.read(Fields(raw, ""))
    assert config.first_position == padding + 1
    assert config.max_length == positions - padding - 1
    assert ROBERTA.read(Fields(ROBERTA.write(config), "")) == config


@pytest.mark.parametrize("model_type", ["roberta", "xlm-roberta", "camembert"])
def test_each_model_type_has_a_class_of_its_own(model_type):
    prefix = {"roberta": "Roberta", "xlm-roberta": "XLMRoberta", "camembert": "Camembert"}[model_type]
    assert ROBERTA.class_of(model_type) == f"{prefix}Model"


def test_a_short_text_has_the_same_vector_beside_a_long_one(tmp_path):
    """Its positions are counted from the first on, whatever pads it."""
    encoder = load(write_tiny(tmp_path / "tiny", "roberta"))
    alone = encoder.encode(["the cab"])
    beside = encoder.encode(["the cab", "a " * 20])[:1]
    assert alone == pytest.approx(beside, abs=1e-5)
