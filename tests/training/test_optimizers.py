"""The optimisers take the published steps, and decay the published groups of weights."""

from collections import Counter

import pytest
import torch
from torch import nn

from wordworth.models.families.bert import BERT, BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.training.optimizers import AdamW, BertAdam, summary


def steps_of(settings, gradients, rate=1e-3, dtype=torch.float32):
    layer = nn.Linear(1, 1, dtype=dtype)
    layer.weight.data.fill_(1.0)
    optimiser = settings.build({layer: rate})
    values = []
    for gradient in gradients:
        layer.weight.grad = torch.full((1, 1), gradient, dtype=dtype)
        optimiser.step()
        values.append(layer.weight.item())
    return values


def test_adamw_takes_the_steps_of_the_bias_corrected_form():
    values = steps_of(AdamW(), (0.5, -0.25, 0.1))
    assert values == pytest.approx([0.99899000, 0.99871368, 0.99838845], abs=1e-7)


def test_the_papers_optimiser_takes_the_steps_of_the_form_without_bias_correction():
    values = steps_of(BertAdam(), (0.5, -0.25, 0.1))
    assert values == pytest.approx([0.99682792, 0.99568619, 0.99411579], abs=1e-7)


@pytest.mark.parametrize(("step", "factor"), [(1, 3.1623), (12, 6.5685), (100, 3.2408)])
def test_without_correction_the_first_steps_are_larger_by_the_known_factor(step, factor):
    """With one gradient again and again the corrected step is the rate; decay and epsilon set aside."""
    settings = BertAdam(weight_decay=0.0, epsilon=1e-12)
    values = [1.0, *steps_of(settings, [1.0] * step, rate=1e-4, dtype=torch.float64)]
    assert (values[-2] - values[-1]) / 1e-4 == pytest.approx(factor, abs=5e-5)


def test_a_resumed_optimiser_of_the_paper_still_corrects_nothing():
    layer = nn.Linear(2, 2)
    optimiser = BertAdam().build({layer: 1e-3})
    again = BertAdam().build({layer: 1e-3})
    again.load_state_dict(optimiser.state_dict())
    assert all(state["step"] > 1e8 for state in again.state.values())


def part_of(name):
    """Where in a pretrained BERT a tensor stands, by the name that its checkpoints give it."""
    parts = {"encoder.layer.": "layers", "embeddings.": "embeddings", "pooler.": "pooler", "transform.": "transform"}
    output = "output biases" if name.endswith("bias") else "outputs"
    return next((part for within, part in parts.items() if within in name), output)


def test_the_decay_groups_of_bert_base_are_those_of_the_original_code():
    config = BertConfig()
    with torch.device("meta"):
        heads = nn.ModuleDict({"mlm": MaskedLanguageModelHead(config), "nsp": NextSentenceHead(config)})
        model = nn.ModuleDict({"encoder": bert(config), "heads": heads})
    theirs = BERT.table.to_checkpoint(
        {name.removeprefix("encoder."): parameter for name, parameter in model.named_parameters()}
    )
    shapes = {name: value.ndim for name, value in theirs.items()}
    assert len(shapes) == 206
    plain = [name for name, dimensions in shapes.items() if dimensions == 1]
    decayed = [name for name, dimensions in shapes.items() if dimensions > 1]
    assert not any("LayerNorm" in name or name.endswith("bias") for name in decayed)
    assert Counter(map(part_of, plain)) == {
        "layers": 120,
        "embeddings": 2,
        "pooler": 1,
        "transform": 3,
        "output biases": 2,
    }
    assert Counter(map(part_of, decayed)) == {"layers": 72, "embeddings": 3, "pooler": 1, "transform": 1, "outputs": 1}
    groups = AdamW().build({model: 1e-4}).param_groups
    assert [{parameter.ndim > 1 for parameter in group["params"]} for group in groups] == [{True}, {False}]
    assert [each["weight_decay"] for each in summary(torch.optim.AdamW(groups))] == [0.01, 0.0]


def test_biases_and_norms_are_not_decayed_and_each_module_has_its_rate():
    body, head = nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3), nn.Embedding(4, 3)), nn.Linear(3, 2)
    body[2].weight.requires_grad_(False)
    groups = AdamW(weight_decay=0.1).build({body: 1e-4, head: 1e-3}).param_groups
    found = [(g["peak"], g["weight_decay"], sorted(tuple(p.shape) for p in g["params"])) for g in groups]
    assert found == [
        (1e-4, 0.1, [(3, 3)]),
        (1e-4, 0.0, [(3,), (3,), (3,)]),
        (1e-3, 0.1, [(2, 3)]),
        (1e-3, 0.0, [(2,)]),
    ]
