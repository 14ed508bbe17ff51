"""Codes are masked 80/10/10 within their kind; what stands in the input is no question of its own kind."""

import numpy as np
import torch
from scipy.stats import binomtest, chisquare
from tests.training.patient_visits.made_up import made_up_visits, settings
from torch.nn.functional import binary_cross_entropy_with_logits

from wordworth.training.patient_visits.pretraining import RATES, MaskedVisits, masked
from wordworth.training.patient_visits.visit_model import new_model


def test_fifteen_in_a_hundred_are_chosen_and_become_mask_random_or_themselves():
    codes, size = np.full(40_000, 7), 50
    read, chosen = masked(codes, size, np.random.default_rng(0))
    assert binomtest(int(chosen.sum()), len(codes), RATES.share).pvalue > 0.001
    assert (read[~chosen] == 7).all()
    fate = read[chosen]
    counts = [(fate == -1).sum(), ((fate != -1) & (fate != 7)).sum(), (fate == 7).sum()]
    shares = np.array([0.8, 0.1 * (size - 1) / size, 0.1 + 0.1 / size])
    assert chisquare(counts, shares * chosen.sum()).pvalue > 0.001
    assert set(fate.tolist()) <= set(range(-1, size))


def test_the_loss_is_the_sum_of_four_means_over_what_is_asked():
    visits = made_up_visits()
    model = new_model(settings(), visits, (None, None), 0)
    objective = MaskedVisits(model, visits, np.arange(20))
    flags = [torch.from_numpy(each.flags[:4]) for each in (visits.inputs, visits.targets)]
    masks = [~each.numpy() for each in flags]
    masks[0][0, 0] = True
    vectors = [torch.randn(4, 8, generator=torch.Generator().manual_seed(kind)) for kind in (0, 1)]
    loss = objective._loss(vectors, [each.numpy() for each in flags], masks)
    wanted = 0.0
    for source in (0, 1):
        for kind in (0, 1):
            each = binary_cross_entropy_with_logits(
                model.predicted(vectors, source, kind), flags[kind].float(), reduction="none"
            )
            wanted += (each * torch.from_numpy(masks[kind]) if source == kind else each).mean()
    torch.testing.assert_close(loss, wanted)


def test_a_step_is_a_function_of_its_generator():
    visits = made_up_visits()
    objective = MaskedVisits(new_model(settings(), visits, (None, None), 0), visits, np.arange(30))
    numbers = np.arange(12)
    first, same, other = (next(objective(numbers, torch.Generator().manual_seed(seed))) for seed in (1, 1, 2))
    assert first == same != other
