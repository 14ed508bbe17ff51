"""What follows each token in its own sequence: the targets of language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordworth.training.objectives.objective import Targets

if TYPE_CHECKING:
    from wordworth.text.corpus.instances import Instances


def successors(instances: Instances) -> Targets:
    """At each token that another one of its own sequence follows, rising, that other one."""
    follows = np.ones(len(instances.ids), dtype=np.bool_)
    ends = instances.starts[1:]
    follows[ends[ends > 0] - 1] = False
    places = np.flatnonzero(follows)
    return Targets(places, instances.ids[places + 1])
