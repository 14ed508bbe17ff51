"""Hidden states of random-weight models equal those of transformers 5, every layer; planted faults are caught."""

from dataclasses import replace

import pytest
import torch

from wordworth.models.batch import Batch
from wordworth.models.families import Family
from wordworth.models.families.base import Fields
from wordworth.models.families.bert import BERT
from wordworth.models.families.distilbert import DISTILBERT
from wordworth.models.families.electra import ELECTRA
from wordworth.models.families.gpt2 import GPT2
from wordworth.models.families.modernbert import MODERNBERT
from wordworth.models.families.mpnet import MPNET
from wordworth.models.families.roberta import ROBERTA
from wordworth.models.transformer import Transformer

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers

SMALL = {"vocab_size": 97, "max_position_embeddings": 40}
BERT_LIKE = {"hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96, **SMALL}
XLMR = {**BERT_LIKE, "type_vocab_size": 1, "pad_token_id": 1, "layer_norm_eps": 1e-5}
MODERN = BERT_LIKE | dict.fromkeys(("pad_token_id", "eos_token_id", "bos_token_id", "cls_token_id", "sep_token_id"), 0)
CASES = {
    "bert": (BERT, "BertConfig", BERT_LIKE),
    "bert-tanh": (BERT, "BertConfig", {**BERT_LIKE, "hidden_act": "gelu_new"}),
    "bert-relu": (BERT, "BertConfig", {**BERT_LIKE, "hidden_act": "relu"}),
    "distilbert": (DISTILBERT, "DistilBertConfig", {"dim": 64, "n_layers": 3, "n_heads": 4, "hidden_dim": 96, **SMALL}),
    "roberta": (ROBERTA, "RobertaConfig", XLMR),
    "xlm-roberta": (ROBERTA, "XLMRobertaConfig", {**XLMR, "max_position_embeddings": 50}),
    "mpnet": (MPNET, "MPNetConfig", {**BERT_LIKE, "max_position_embeddings": 50}),
    "electra": (ELECTRA, "ElectraConfig", {**BERT_LIKE, "embedding_size": 48}),
    "electra-wide": (ELECTRA, "ElectraConfig", {**BERT_LIKE, "embedding_size": 64}),
    "modernbert": (MODERNBERT, "ModernBertConfig", {**MODERN, "num_hidden_layers": 5, "local_attention": 8}),
    "modernbert-global": (MODERNBERT, "ModernBertConfig", {**MODERN, "layer_types": ["full_attention"] * 3}),
    "gpt2": (GPT2, "GPT2Config", {"n_embd": 64, "n_layer": 3, "n_head": 4, "n_positions": 40, "vocab_size": 97}),
}
LENGTHS = (5, 17, 1, 17, 30)


def loud(model: torch.nn.Module) -> torch.nn.Module:
    """Weights no trained model has: large biases, gains far from 1, faint tables, so that no term can hide."""
    generator = torch.Generator().manual_seed(7)
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        table = "embeddings" in name or "wte" in name or "wpe" in name
        gain = "weight" in name and parameter.dim() == 1
        spread = 1.0 if parameter.dim() == 1 else 0.01 if table else 0.2
        parameter.data = 1 + 2 * noise if gain else noise * spread
    return model.eval()


def theirs(case: str):
    family, config_name, settings = CASES[case]
    config = getattr(transformers, config_name)(**settings)
    torch.manual_seed(0)
    return family, loud(transformers.AutoModel.from_config(config, attn_implementation="eager"))


def ours(family: Family, peer, **changes: object) -> Transformer:
    config = replace(family.read(Fields(peer.config.to_dict(), "config.json")), **changes)
    model = family.build(config)
    tensors, report = family.table.from_checkpoint(peer.state_dict(), model.state_dict())
    assert report.missing == report.unexpected == ()
    model.load_state_dict(tensors)
    return model.eval()


def batch_of(family: Family) -> Batch:
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(3, 97, (sum(LENGTHS),), generator=generator)
    segments = (
        torch.randint(0, 2, ids.shape, generator=generator) if family in (BERT, ELECTRA) else torch.zeros_like(ids)
    )
    return Batch(ids, segments, torch.tensor([0, *LENGTHS]).cumsum(0).int())


@torch.no_grad()
def peer_states(family: Family, peer, batch: Batch) -> tuple[torch.Tensor, torch.Tensor | None]:
    """[layers + 1, tokens, d] and the pooled vectors, one sequence at a time."""
    layers, pooled = [], []
    for start, end in zip(batch.starts, batch.starts[1:], strict=False):
        extra = {"token_type_ids": batch.segments[None, start:end]} if family in (BERT, ELECTRA) else {}
        answer = peer(batch.ids[None, start:end], output_hidden_states=True, **extra)
        layers.append(torch.cat(answer.hidden_states))
        pooled.append(getattr(answer, "pooler_output", None))
    return torch.cat(layers, dim=1), None if pooled[0] is None else torch.cat(pooled)


@torch.no_grad()
def distance(family: Family, peer, model: Transformer) -> float:
    """The largest difference of any layer (and of the pooler), each relative to its scale."""
    batch = batch_of(family)
    expected, pooled = peer_states(family, peer, batch)
    found = torch.stack(list(model.states(batch)))
    apart = (found - expected).abs().amax((1, 2)) / expected.abs().amax((1, 2))
    if pooled is None:
        return float(apart.max())
    return max(float(apart.max()), float((model.pool(found[-1], batch.starts) - pooled).abs().max()))


@pytest.mark.parametrize("case", CASES)
def test_every_layer_equals_transformers_with_loud_weights(case):
    family, peer = theirs(case)
    assert distance(family, peer, ours(family, peer)) <= 1e-5


def wrong_eps(model: Transformer) -> Transformer:
    for module in model.modules():
        if isinstance(module, torch.nn.LayerNorm):
            module.eps = 1e-12 if module.eps == 1e-5 else 1e-5
    return model


def transposed(model: Transformer) -> Transformer:
    weight = model.body.layers[1].attention.output.weight
    weight.data = weight.data.T.contiguous()
    return model


def shifted(model: Transformer) -> Transformer:
    table = model.embedding.position.weight
    table.data = table.data.roll(2, dims=0)
    return model


@pytest.mark.parametrize("fault", [wrong_eps, transposed, shifted])
@pytest.mark.parametrize("case", ["bert", "distilbert", "roberta", "xlm-roberta", "mpnet", "electra", "gpt2"])
def test_a_planted_fault_is_caught(case, fault):
    family, peer = theirs(case)
    assert distance(family, peer, fault(ours(family, peer))) > 1e-4


@pytest.mark.parametrize("case", ["bert", "distilbert", "roberta", "xlm-roberta", "mpnet", "modernbert", "gpt2"])
def test_the_wrong_gelu_is_caught(case):
    family, peer = theirs(case)
    swapped = "gelu_erf" if family is GPT2 else "gelu_tanh"
    assert distance(family, peer, ours(family, peer, activation=swapped)) > 1e-4


def without_bias(model: Transformer) -> Transformer:
    model.body.relative_bias = None
    return model


def without_windows(model: Transformer) -> Transformer:
    for layer in model.body.layers:
        layer.is_local = False
    return model


@pytest.mark.parametrize(("case", "fault"), [("mpnet", without_bias), ("modernbert", without_windows)])
def test_positions_that_attention_does_not_see_are_caught(case, fault):
    family, peer = theirs(case)
    assert distance(family, peer, fault(ours(family, peer))) > 1e-4


@pytest.mark.parametrize("case", CASES)
def test_our_config_and_names_turn_back_into_theirs(case):
    family, peer = theirs(case)
    model = ours(family, peer)
    rebuilt = transformers.AutoModel.from_config(type(peer.config)(**family.write(model.config)))
    back = family.table.to_checkpoint(model.state_dict())
    assert back.keys() == peer.state_dict().keys()
    assert all(torch.equal(back[name], value) for name, value in peer.state_dict().items())
    rebuilt.load_state_dict(back)
    assert family.read(Fields(rebuilt.config.to_dict(), "")) == model.config
