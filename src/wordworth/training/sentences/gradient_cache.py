"""GradCache: gradients of a loss over a large batch, with the states of one part of it in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.training.process_groups import ALONE, Processes

Encode = Callable[[NDArray[np.int64], torch.Generator], Tensor]
"""Maps numbers of texts, and the generator of their dropout, to vectors float32 [texts, width] with gradient."""


def loss_parts(
    encode: Encode,
    loss: Callable[[Tensor], Tensor],
    parts: Sequence[NDArray[np.int64]],
    generator: torch.Generator,
    processes: Processes = ALONE,
) -> Iterator[Tensor]:
    """Yield scalars whose gradients add up to the gradient of a loss over all texts, for back-propagation one by one.

    The caller must back-propagate a scalar before it requests the next. This is GradCache (Gao et al. 2021, arXiv
    2101.06983, section 3.2). First the vectors of all parts are computed without a graph, and the loss gives the
    gradient of each vector. Then each part is computed again with the same dropout, and the gradients of its vectors
    are back-propagated. So only the states of one part are in memory at a time, at the cost of a second forward pass. A
    single part is computed once, as usual. The values of the scalars add up to the loss.

    Several processes divide the parts among them and gather all vectors, so that every text is compared with the texts
    of all processes. The scalars of all processes add up to the loss.

    Args:
        encode: computes the vectors of some texts.
        loss: maps the vectors of all texts [texts, width], in the order of `parts`, to the loss.
        parts: int64 [texts] for each part, the indices of its texts, the same in every process; at least one part for
            each process.
        generator: source of a dropout seed for each part.
        processes: the processes that share the batch.
    """
    seeds = torch.randint(2**62, (len(parts),), generator=generator).tolist()
    if len(parts) == 1:
        yield loss(encode(parts[0], torch.Generator().manual_seed(seeds[0])))
        return
    ends = np.cumsum([0, *map(len, parts)]).tolist()
    own = range(processes.rank, len(parts), processes.count)
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
    yield value if processes.rank == 0 else 0 * value  # the loss's own weights learn once
    for part in own:
        again = encode(parts[part], torch.Generator().manual_seed(seeds[part]))
        passed = (again * gradient[ends[part] : ends[part + 1]]).sum()
        yield passed - passed.detach()
