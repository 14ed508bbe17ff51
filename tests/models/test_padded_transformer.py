"""A transformer over padded rectangles has the states of packed sequences, whatever the padding."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.language_models import CONFIGS, made_up

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.padded_transformer import PaddedTransformer
from wordworth.models.transformer import Transformer

KINDS = [
    kind
    for kind in CONFIGS
    if isinstance(model := made_up(kind).model, Transformer) and model.config.positions == "learned"
]


@pytest.mark.parametrize("kind", KINDS)
@given(lengths=st.lists(st.integers(1, 12), min_size=1, max_size=4), further=st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_every_token_has_the_state_that_it_has_in_a_packed_batch(kind, lengths, further):
    model = made_up(kind).model
    rng, width = np.random.default_rng(sum(lengths)), max(lengths) + further
    ids = torch.from_numpy(rng.integers(5, 20, (len(lengths), width)))
    mask = (torch.arange(width)[None] < torch.tensor(lengths)[:, None]).long()
    starts = torch.tensor([0, *lengths]).cumsum(0).int()
    packed_ids = ids[mask.bool()]
    with torch.inference_mode():
        packed = model(Batch(packed_ids, torch.zeros_like(packed_ids), starts))
        padded = PaddedTransformer(model)(ids, mask, torch.zeros_like(ids))[mask.bool()]
    assert padded.numpy() == pytest.approx(packed.numpy(), abs=1e-5)


def test_the_model_itself_is_not_changed():
    model = made_up("bert").model
    before = [layer.attention.attend for layer in model.body.layers]
    PaddedTransformer(model)(torch.ones(1, 3).long(), torch.ones(1, 3).long(), torch.zeros(1, 3).long())
    assert [layer.attention.attend for layer in model.body.layers] == before


def test_rotary_positions_are_refused():
    config = BertConfig(hidden_size=8, num_heads=2, num_layers=1, intermediate_size=8, positions="rotary")
    with pytest.raises(BadInput, match="rotary positions cannot be exported"):
        PaddedTransformer(bert(config))
