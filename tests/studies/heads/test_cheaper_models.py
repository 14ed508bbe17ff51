"""Smaller models of a fine-tuned one: another encoder under the same head."""

import torch

from wordworth.inference.finetuned_run import read_run
from wordworth.models.pruning import without_heads

ORDER = [(0, 0), (1, 1), (0, 2), (1, 3), (0, 1), (1, 0)]


def test_a_fine_tuned_model_over_another_encoder_keeps_its_head(run):
    tuned_run = read_run(run)
    tuned = tuned_run.network.tuned
    same = tuned.with_encoder(tuned_run.encoder.model)
    smaller = tuned.with_encoder(without_heads(tuned_run.encoder.model, ORDER[:2]))
    for name, value in tuned.network.output.state_dict().items():
        assert (smaller.network.output.state_dict()[name] == value).all()
    weights = tuned.network.body.state_dict()
    assert all((value == weights[name]).all() for name, value in same.network.body.state_dict().items())
    assert (same.predictor is same.network) == (tuned.predictor is tuned.network)
    sizes = [sum(map(torch.numel, each.network.body.parameters())) for each in (smaller, tuned)]
    assert sizes[0] < sizes[1]
