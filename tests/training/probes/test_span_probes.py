"""Edge and linear probes: what they compute, beside short versions written here."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from wordworth.training.probes.span_probes import EdgeProbe, LinearProbe, SpanBatch, attention_pooled

SPANS = [[(0, 2), (3, 4)], [(1, 4), (0, 1)], [(2, 3), (2, 3)]]


def batch(layers=3, width=5, labels=4, seed=0):
    generator = torch.Generator().manual_seed(seed)
    sides = []
    for side in range(2):
        words = [word for spans in SPANS for word in range(*spans[side])]
        target = [number for number, spans in enumerate(SPANS) for _ in range(*spans[side])]
        sides.append((torch.tensor(words), torch.tensor(target)))
    gold = torch.zeros(3, labels)
    gold[0, 1] = gold[1, 0] = gold[1, 3] = gold[2, 2] = 1
    return SpanBatch(torch.randn(4, layers, width, generator=generator), tuple(sides), gold)


def initialised(probe):
    probe.initialise(torch.Generator().manual_seed(1))
    return probe.eval()


def test_an_edge_probe_is_the_published_architecture():
    probe, data = initialised(EdgeProbe(3, 5, 2, 4, hidden=6)), batch()
    probe.mix.logits.data = torch.tensor([0.3, -0.2, 1.0])
    probe.mix.gamma.data = torch.tensor(1.7)
    weights = np.exp([0.3, -0.2, 1.0]) / np.exp([0.3, -0.2, 1.0]).sum()
    mix = sum(1.7 * weight * data.states[:, layer] for layer, weight in enumerate(weights)).float()
    for number, spans in enumerate(SPANS):
        pooled = []
        for side, (start, end) in enumerate(spans):
            projected = mix[start:end] @ probe.projections[side].weight.T + probe.projections[side].bias
            scores = projected @ probe.attention[side].weight[0] + probe.attention[side].bias
            pooled.append((scores.softmax(0)[:, None] * projected).sum(0))
        hidden = functional.layer_norm(torch.tanh(probe.hidden(torch.cat(pooled))), (6,))
        assert torch.allclose(probe(data)[number], probe.output(hidden), atol=1e-5)


def test_a_cumulative_probe_of_all_layers_is_the_full_probe():
    """Layers above the mix do not count, and a probe of layers 0 to L is the one of all layers."""
    full, part = (initialised(EdgeProbe(layers, 5, 2, 4)) for layers in (3, 2))
    data = batch()
    below = SpanBatch(data.states[:, :2], data.sides, data.labels)
    part.load_state_dict({**full.state_dict(), "mix.logits": torch.zeros(2), "mix.scale": torch.ones(2)})
    full.mix.logits.data = torch.tensor([0.0, 0.0, -1e9])
    assert torch.allclose(part(below), full(data), atol=1e-6)


def test_a_linear_probe_reads_the_means_of_its_spans():
    probe, data = initialised(LinearProbe(3, 5, 2, 4, exclusive=True)), batch()
    probe.output.weight.data.normal_(generator=torch.Generator().manual_seed(2))
    mix = data.states.mean(1)
    for number, spans in enumerate(SPANS):
        means = torch.cat([mix[start:end].mean(0) for start, end in spans])
        assert torch.allclose(probe(data)[number], probe.output(means), atol=1e-5)


def test_losses_are_those_of_a_softmax_and_of_independent_labels():
    data = batch()
    one = SpanBatch(data.states, data.sides, functional.one_hot(torch.tensor([1, 0, 2]), 4).float())
    several = initialised(EdgeProbe(3, 5, 2, 4))
    probability = torch.sigmoid(several(data))
    expected = -(data.labels * probability.log() + (1 - data.labels) * (1 - probability).log()).sum()
    assert several.loss(data).sum.item() == pytest.approx(expected.item(), rel=1e-5)
    exclusive = initialised(LinearProbe(3, 5, 2, 4, exclusive=True))
    assert exclusive.loss(one).sum.item() == pytest.approx(3 * np.log(4))  # zero weights: a uniform code
    assert exclusive.loss(one).count == 3
    assert exclusive.predicted(torch.tensor([[0.1, 0.3, 0.2, 0.0]])).tolist() == [[False, True, False, False]]
    assert several.predicted(torch.tensor([[0.1, -0.3, 0.2, 0.0]])).tolist() == [[True, False, True, False]]


def test_attention_pooling_survives_large_scores_and_equal_ones_are_a_mean():
    vectors = torch.randn(4, 3)
    words, target = torch.tensor([0, 1, 2, 3, 3]), torch.tensor([0, 0, 0, 1, 1])
    pooled = attention_pooled(vectors, torch.tensor([500.0, 500.0, -500.0, 80.0]), words, target, 2)
    assert torch.allclose(pooled[0], vectors[:2].mean(0), atol=1e-6)
    assert torch.allclose(pooled[1], vectors[3], atol=1e-6)
