"""The losses of distillation, with a value for each text or token; and which of the teacher's layers are compared."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def softened_divergence(scores: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Return the divergence of the student's softened class probabilities from the teacher's, [texts].

    The divergence is T² · KL(softmax(teacher / T) || softmax(scores / T)), summed over classes. Hinton et al. 2015
    (arXiv 1503.02531), section 2: T² keeps the size of the gradient at every temperature. The soft cross-entropy of
    other papers differs from the divergence by the teacher's entropy, which has no gradient.

    Args:
        scores: the student's logits, [texts, classes].
        teacher: the teacher's logits, [texts, classes].
        temperature: T, above 0.
    """
    own, other = (functional.log_softmax(each.float() / temperature, dim=-1) for each in (scores, teacher))
    return temperature**2 * (other.exp() * (other - own)).sum(-1)


def softened_label_divergence(scores: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Return the divergence of the student's softened probabilities of independent labels from the teacher's, [texts].

    The divergence is T² · KL(sigmoid(teacher / T) || sigmoid(scores / T)), summed over labels, for texts with several
    labels (Adhikari et al. 2019, arXiv 1904.08398, section 3.2, at T = 1).

    Args:
        scores: the student's logits, [texts, labels].
        teacher: the teacher's logits, [texts, labels].
        temperature: T, above 0.
    """
    own, other = (torch.stack([each, torch.zeros_like(each)], dim=-1) for each in (scores, teacher))
    return softened_divergence(own, other, temperature).sum(-1)


def patience(states: Tensor, teacher: Tensor) -> Tensor:
    """Return the squared distance between normalised states of student and teacher, [texts].

    The distance is the mean over layers and dimensions of (s / ||s|| - t / ||t||)², equation 7 of Sun et al. 2019
    (arXiv 1908.09355). The article sums over layers and dimensions; its code takes their mean, and the published
    weights of this loss, 10 to 1,000, belong to the mean.

    Args:
        states: the student's vector of each text in each compared layer, [texts, layers, width].
        teacher: the teacher's vectors in the corresponding layers, [texts, layers, width].
    """
    own, other = (functional.normalize(each.float(), dim=-1) for each in (states, teacher))
    return (own - other).square().mean(dim=(-2, -1))


def cosine_distance(states: Tensor, teacher: Tensor) -> Tensor:
    """Return 1 - cos(student's state, teacher's state), [tokens] (Sanh et al. 2019, arXiv 1910.01108, section 3).

    Args:
        states: the student's states, [tokens, width].
        teacher: the teacher's states, [tokens, width].
    """
    cosine: Tensor = functional.cosine_similarity(states.float(), teacher.float(), dim=-1)
    return 1 - cosine


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """Return the attention scores of a text before the softmax, q·k / sqrt(head_size), [heads, tokens, tokens].

    Args:
        query: [tokens, heads, head_size], the queries of a layer.
        key: [tokens, heads, head_size], the keys of the layer.
    """
    scaled = query.float() * float(query.shape[-1]) ** -0.5
    return torch.einsum("qhd,khd->hqk", scaled, key.float())


def skipping_layers(teacher: int, student: int) -> tuple[int, ...]:
    """Return the teacher's layer for each of the student's layers but the last, by PKD-Skip.

    Every k-th layer of the teacher is taken, where k is the ratio of the numbers of layers (Sun et al. 2019, section
    3.2). The last layers are compared only through the logits.

    Args:
        teacher: number of layers of the teacher.
        student: number of layers of the student, fewer.

    >>> skipping_layers(12, 6), skipping_layers(6, 3)
    ((2, 4, 6, 8, 10), (2, 4))
    """
    return tuple(layer * teacher // student for layer in range(1, student))


def last_layers(teacher: int, student: int) -> tuple[int, ...]:
    """Return the teacher's layer for each of the student's layers but the last, by PKD-Last.

    The layers just below the teacher's last are taken (Sun et al. 2019, section 3.2).

    Args:
        teacher: number of layers of the teacher.
        student: number of layers of the student, fewer.

    >>> last_layers(12, 6), last_layers(6, 3)
    ((7, 8, 9, 10, 11), (4, 5))
    """
    return tuple(range(teacher - student + 1, teacher))
