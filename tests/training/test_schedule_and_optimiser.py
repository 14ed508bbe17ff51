"""The optimiser and the schedules at their published values."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from wordworth.models.families.bert import BERT, BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.training.lr_schedules import (
    CURVES,
    cosine_curve,
    linear,
    linear_curve,
    original,
    original_curve,
    stable_then_decay,
    within,
)
from wordworth.training.optimizers import AdamW, BertAdam, summary

STEPS = (0, 1, 99, 100, 550, 1000)


def test_the_original_schedule_drops_at_the_end_of_warm_up():
    assert [1e-4 * original(1000, 100)(t) for t in STEPS] == pytest.approx(
        [0, 0.01e-4, 0.99e-4, 0.90e-4, 0.45e-4, 0], abs=1e-12
    )


def test_the_cramming_rate_peaks_at_three_quarters():
    assert [CURVES["one-cycle"](0.1)(x) for x in (0, 0.375, 0.75, 1)] == [0.25, 0.625, 1, 0]


def test_gpts_cosine_and_berts_line_are_half_way_down_at_half_time_and_end_at_zero():
    assert cosine_curve(0.002)(0.5) == pytest.approx(0.5, abs=1e-12)
    assert original(1000, 100)(500) == 0.5
    assert original_curve(0.1)(0.5) == 0.5
    assert cosine_curve(0.002)(1.0) == pytest.approx(0, abs=1e-12)
    assert original(1000, 100)(1000) == original_curve(0.1)(1) == 0


def test_gpts_fine_tuning_rate_is_berts_line_but_for_a_sliver_of_the_warm_up():
    """GPT multiplies warm-up and line, `min(1, x / w) (1 - x)`; BERT's code takes one and then the other."""
    warmup = 0.002
    ours = [original_curve(warmup)(x / 10_000) for x in range(10_001)]
    gpts = [min(1, x / 10_000 / warmup) * (1 - x / 10_000) for x in range(10_001)]
    assert (ours[5000], gpts[5000]) == (0.5, 0.5)
    assert ours[-1] == gpts[-1] == 0
    assert ours[20:] == gpts[20:]
    assert max(abs(one - other) for one, other in zip(ours, gpts, strict=True)) < warmup


@pytest.mark.parametrize("name", sorted(CURVES))
def test_every_curve_stays_between_nothing_and_the_peak_and_ends_at_nothing(name):
    curve = CURVES[name](0.06)
    shares = [curve(x / 1000) for x in range(1001)]
    assert min(shares) >= 0
    assert max(shares) == pytest.approx(1, abs=0.07)
    assert shares[-1] == pytest.approx(0, abs=1e-9)


def test_curves_are_the_schedules_over_the_passed_share():
    assert [linear_curve(0.1)(t / 1000) for t in STEPS] == pytest.approx([linear(1000, 100)(t) for t in STEPS])
    assert [original_curve(0.1)(t / 1000) for t in STEPS] == pytest.approx([original(1000, 100)(t) for t in STEPS])


def test_the_stable_rate_is_held_and_falls_in_the_last_fifth():
    rate = stable_then_decay(0.1)
    assert [rate(0.05), rate(0.1), rate(0.5), rate(0.8), rate(0.85)] == pytest.approx([0.5, 1, 1, 1, 0.5])


def test_the_usual_schedule_starts_its_descent_at_the_peak():
    assert [linear(1000, 100)(t) for t in STEPS] == pytest.approx([0, 0.01, 0.99, 1.0, 0.5, 0])


@given(steps=st.integers(1, 3000), warmup=st.floats(0, 0.5))
def test_no_update_of_a_run_has_rate_zero_and_the_peak_is_reached_at_most_once(steps, warmup):
    shares = [within(linear, steps, warmup=warmup)(t) for t in range(steps)]
    assert min(shares) > 0
    assert max(shares) <= 1
    top = shares.index(max(shares))
    assert shares == sorted(shares[: top + 1]) + sorted(shares[top + 1 :], reverse=True)


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
