"""The targets of language models: what follows each token in its own sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordworth.training.objectives.objective import Targets

if TYPE_CHECKING:
    from wordworth.text.corpus.instances import Instances


def successors(instances: Instances) -> Targets:
    """Return for each token with a successor in its own sequence that successor, in ascending order."""
    follows = np.ones(len(instances.ids), dtype=np.bool_)
    ends = instances.starts[1:]
    follows[ends[ends > 0] - 1] = False
    positions = np.flatnonzero(follows)
    return Targets(positions, instances.ids[positions + 1])
