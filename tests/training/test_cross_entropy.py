"""The fused cross-entropy is the plain one, loss and gradient."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.training import cross_entropy as fused
from wordworth.training.cross_entropy import cross_entropy, cross_entropy_reference


def learned(form, places, classes, dtype, scale=1.0, filler=0):
    generator = torch.Generator().manual_seed(places)
    states = torch.randn(places, 8, generator=generator).to(dtype).requires_grad_()
    table = (scale * torch.randn(classes, 8, generator=generator)).to(dtype).requires_grad_()
    labels = torch.randint(classes, (places,), generator=generator)
    rows = torch.arange(places + filler) % max(places, 1) if places else torch.zeros(0, dtype=torch.long)
    loss = form(states[rows] @ table.T, labels)
    (loss.sum / max(places, 1)).backward()
    return loss.sum.detach(), loss.correct, states.grad, table.grad


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 40), st.integers(1, 30), st.integers(1, 200), st.integers(0, 9))
def test_loss_gradient_and_right_answers_are_those_of_the_plain_steps_without_filler(places, classes, at_once, filler):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fused, "_BLOCK", at_once)
        found = learned(cross_entropy, places, classes, torch.float32, filler=filler)
    plain = learned(cross_entropy_reference, places, classes, torch.float32)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(found, plain, strict=True))


def test_in_bfloat16_the_loss_is_summed_in_float32():
    found, plain = (learned(form, 300, 50, torch.bfloat16) for form in (cross_entropy, cross_entropy_reference))
    assert found[0].dtype == torch.float32
    assert torch.allclose(found[0], plain[0], rtol=1e-5)
    assert torch.allclose(found[3].float(), plain[3].float(), atol=2e-4, rtol=0.02)


def test_very_large_logits_do_not_overflow():
    total, _, gradient, _ = learned(cross_entropy, 5, 9, torch.float32, scale=1e4)
    assert total.isfinite()
    assert gradient.isfinite().all()


def test_without_gradients_the_logits_stay_as_they_were():
    logits = torch.randn(4, 6)
    before = logits.clone()
    loss = cross_entropy(logits, torch.tensor([0, 1, 2, 3]))
    assert torch.equal(logits, before)
    assert loss.sum > 0
    assert 0 <= loss.correct <= 4


def test_of_equal_highest_logits_the_first_is_the_answer():
    assert cross_entropy(torch.ones(4, 4), torch.tensor([0, 1, 2, 3])).correct == 1
