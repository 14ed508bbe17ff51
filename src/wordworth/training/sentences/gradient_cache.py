"""Gradients of a batch of any size within the memory of a part of it: cached by vector, then passed on part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Encode = Callable[[NDArray[np.int64], torch.Generator], Tensor]
"""Maps numbers of texts, and the generator of their dropout, to vectors float32 [texts, width] with gradient."""


def loss_parts(
    encode: Encode, loss: Callable[[Tensor], Tensor], parts: Sequence[NDArray[np.int64]], generator: torch.Generator
) -> Iterator[Tensor]:
    """Yield scalars whose gradients add up to that of the loss; each must be back-propagated before the next is drawn.

    GradCache (Gao et al. 2021, arXiv 2101.06983, section 3.2). One part alone is computed as it is. Of several, the
    vectors are computed without a graph first; the loss is taken of them and gives their gradients; then each part is
    computed again, with the same dropout, and its vectors' gradients are passed on. So only one part's states are in
    memory at a time, for one more forward pass. The values of the scalars add up to the loss as well.

    Args:
        encode: computes vectors.
        loss: maps the vectors of all texts [texts, width], in the order of `parts`, to the loss.
        parts: numbers of texts.
        generator: draws a seed of the dropout for each part.
    """
    seeds = torch.randint(2**62, (len(parts),), generator=generator).tolist()
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    if len(parts) == 1:
        yield loss(encode(parts[0], generators[0]))
        return
    with torch.no_grad():
        vectors = torch.cat([encode(part, each) for part, each in zip(parts, generators, strict=True)])
    vectors.requires_grad_()
    yield loss(vectors)
    assert vectors.grad is not None  # noqa: S101 - the caller has back-propagated
    gradients = torch.split(vectors.grad, [len(part) for part in parts])
    for part, seed, gradient in zip(parts, seeds, gradients, strict=True):
        passed = (encode(part, torch.Generator().manual_seed(seed)) * gradient).sum()
        yield passed - passed.detach()
