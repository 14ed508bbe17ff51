"""The losses of distillation: zero for equal answers, the published layers, and what each does not depend on."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from wordworth.training.distillation.losses import (
    attention_scores,
    cosine_distance,
    last_layers,
    patience,
    skipping_layers,
    softened_divergence,
    softened_label_divergence,
)


def drawn(seed, *shape):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).float()


SEED = st.integers(0, 2**32 - 1)
SHAPES = st.tuples(SEED, st.integers(1, 5), st.integers(2, 6))


@given(SHAPES, st.floats(0.5, 20))
def test_soft_cross_entropy_less_the_divergence_is_the_teachers_entropy_and_has_the_same_gradient(shape, temperature):
    seed, texts, classes = shape
    scores, teacher = drawn(seed, texts, classes).requires_grad_(), 3 * drawn(seed + 1, texts, classes)
    divergence = softened_divergence(scores, teacher, temperature)
    soft = (teacher / temperature).softmax(-1)
    cross_entropy = -(soft * functional.log_softmax(scores / temperature, dim=-1)).sum(-1)
    entropy = -(soft * soft.log()).sum(-1)
    torch.testing.assert_close(cross_entropy - divergence / temperature**2, entropy, atol=1e-5, rtol=1e-4)
    (first,) = torch.autograd.grad(temperature**2 * cross_entropy.sum(), scores, retain_graph=True)
    (second,) = torch.autograd.grad(divergence.sum(), scores)
    torch.testing.assert_close(first, second, atol=1e-4, rtol=1e-3)


@given(SHAPES, st.floats(0.5, 20))
def test_the_divergence_is_never_negative_and_zero_for_equal_answers(shape, temperature):
    seed, texts, classes = shape
    scores, teacher = drawn(seed, texts, classes), drawn(seed + 1, texts, classes)
    assert (softened_divergence(scores, teacher, temperature) >= -1e-4).all()
    same = softened_divergence(scores, scores + 7.0, temperature)
    torch.testing.assert_close(same, torch.zeros(texts), atol=1e-4, rtol=0)


@given(SHAPES, st.floats(0.5, 20))
def test_the_divergence_of_labels_is_the_sum_of_those_of_their_two_answers(shape, temperature):
    """Beside torch's own divergence of Bernoulli distributions."""
    seed, texts, labels = shape
    scores, teacher = drawn(seed, texts, labels), 3 * drawn(seed + 1, texts, labels)
    own, other = (torch.distributions.Bernoulli(logits=each / temperature) for each in (scores, teacher))
    expected = temperature**2 * torch.distributions.kl_divergence(other, own).sum(-1)
    divergence = softened_label_divergence(scores, teacher, temperature)
    torch.testing.assert_close(divergence, expected, atol=1e-3, rtol=1e-3)


def test_the_square_of_the_temperature_keeps_the_size_of_the_gradient():
    """Hinton et al. 2015, equation 4: at high temperatures the gradient is (z - v) / classes, whatever it is."""
    scores, teacher = drawn(0, 200, 4).requires_grad_(), drawn(1, 200, 4)
    sizes = {}
    for temperature in (5.0, 20.0, 80.0):
        (gradient,) = torch.autograd.grad(softened_divergence(scores, teacher, temperature).sum(), scores)
        sizes[temperature] = float(gradient.norm())
    centred = [each - each.mean(1, keepdim=True) for each in (scores.detach(), teacher)]
    expected = float((centred[0] - centred[1]).norm()) / 4
    assert sizes[80.0] == pytest.approx(expected, rel=0.02)
    assert sizes[5.0] == pytest.approx(sizes[20.0], rel=0.2)


@given(SHAPES, st.floats(0.01, 100))
def test_patience_is_zero_for_equal_directions_and_does_not_depend_on_length(shape, scale):
    seed, texts, layers = shape
    states, teacher = drawn(seed, texts, layers, 8), drawn(seed + 1, texts, layers, 8)
    torch.testing.assert_close(patience(states, scale * states), torch.zeros(texts), atol=1e-6, rtol=0)
    torch.testing.assert_close(patience(scale * states, teacher), patience(states, teacher), atol=1e-5, rtol=1e-4)


@given(SHAPES)
def test_patience_is_equation_7_over_the_layers_and_dimensions(shape):
    """Sun et al. 2019: the sum over layers of ||h_s / ||h_s|| - h_t / ||h_t|| ||², and in their code its mean."""
    seed, texts, layers = shape
    states, teacher = (drawn(seed + number, texts, layers, 8).double().numpy() for number in (0, 1))
    summed = [
        sum(
            np.linalg.norm(own / np.linalg.norm(own) - other / np.linalg.norm(other)) ** 2
            for own, other in zip(*pair, strict=True)
        )
        for pair in zip(states, teacher, strict=True)
    ]
    ours = patience(torch.from_numpy(states), torch.from_numpy(teacher)).numpy()
    np.testing.assert_allclose(ours * layers * 8, summed, rtol=1e-4, atol=1e-5)


@given(SEED, st.floats(0.01, 100))
def test_the_cosine_distance_is_zero_for_equal_states_whatever_their_length(seed, scale):
    states = drawn(seed, 5, 8)
    torch.testing.assert_close(cosine_distance(states, scale * states), torch.zeros(5), atol=1e-5, rtol=0)
    torch.testing.assert_close(cosine_distance(states, -states), torch.full((5,), 2.0), atol=1e-5, rtol=0)


def test_attention_before_its_softmax_is_that_of_the_model():
    query, key = drawn(0, 3, 2, 4), drawn(1, 3, 2, 4)
    for head in range(2):
        expected = query[:, head] @ key[:, head].T / 2
        torch.testing.assert_close(attention_scores(query, key)[head], expected)


def test_the_published_layers_teach():
    assert set(skipping_layers(12, 6)) == {2, 4, 6, 8, 10}
    assert set(last_layers(12, 6)) == {7, 8, 9, 10, 11}
    assert skipping_layers(12, 3) == (4, 8)
    assert last_layers(12, 3) == (10, 11)


@given(st.integers(2, 48).flatmap(lambda whole: st.tuples(st.just(whole), st.integers(1, whole - 1))))
def test_every_layer_of_a_student_but_the_last_has_a_later_teacher_of_its_own(layers):
    whole, student = layers
    for taught_by in (skipping_layers, last_layers):
        chosen = taught_by(whole, student)
        assert len(set(chosen)) == len(chosen) == student - 1
        assert list(chosen) == sorted(chosen)
        assert all(own <= each < whole for own, each in enumerate(chosen, start=1))
