"""Gradients of a batch of any size within the memory of a part of it: cached by vector, then passed on part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.training.distributed import ALONE, Processes

Encode = Callable[[NDArray[np.int64], torch.Generator], Tensor]
"""Maps numbers of texts, and the generator of their dropout, to vectors float32 [texts, width] with gradient."""


def loss_parts(
    encode: Encode,
    loss: Callable[[Tensor], Tensor],
    parts: Sequence[NDArray[np.int64]],
    generator: torch.Generator,
    processes: Processes = ALONE,
) -> Iterator[Tensor]:
    """Yield scalars whose gradients add up to that of the loss; each must be back-propagated before the next is drawn.

    GradCache (Gao et al. 2021, arXiv 2101.06983, section 3.2). One part alone is computed as it is. Of several, the
    vectors are computed without a graph first; the loss is taken of them and gives their gradients; then each part is
    computed again, with the same dropout, and its vectors' gradients are passed on. So only one part's states are in
    memory at a time, for one more forward pass. The values of the scalars add up to the loss as well.

    Several processes divide the parts and gather the vectors of all, so that every text is compared with those of all
    processes. What they yield adds up over them.

    Args:
        encode: computes vectors.
        loss: maps the vectors of all texts [texts, width], in the order of `parts`, to the loss.
        parts: numbers of texts, the same in every process; at least as many as there are processes.
        generator: draws a seed of the dropout for each part.
        processes: that share the batch.
    """
    seeds = torch.randint(2**62, (len(parts),), generator=generator).tolist()
    if len(parts) == 1:
        yield loss(encode(parts[0], torch.Generator().manual_seed(seeds[0])))
        return
    ends = np.cumsum([0, *map(len, parts)]).tolist()
    own = range(processes.number, len(parts), processes.count)
    with torch.no_grad():
        encoded = {part: encode(parts[part], torch.Generator().manual_seed(seeds[part])) for part in own}
        first = encoded[own[0]]
        vectors = first.new_zeros(ends[-1], first.shape[1])
        for part, each in encoded.items():
            vectors[ends[part] : ends[part + 1]] = each
        processes.all_reduce([vectors])
    vectors.requires_grad_()
    value = loss(vectors)
    (gradient,) = torch.autograd.grad(value, vectors, retain_graph=True)
    yield value if processes.number == 0 else 0 * value  # the loss's own weights learn once
    for part in own:
        again = encode(parts[part], torch.Generator().manual_seed(seeds[part]))
        passed = (again * gradient[ends[part] : ends[part + 1]]).sum()
        yield passed - passed.detach()
