"""Every subword by itself, as BERT was first trained (Devlin et al. 2019, section 3.1, task 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.training.objectives.masking.sampling import Groups, Text


@dataclass(frozen=True, slots=True)
class SingleTokens:
    """Each token that is not special is a group of its own."""

    together: bool = False

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """Return all maskable tokens as groups of one."""
        firsts = np.flatnonzero(text.maskable)
        return Groups(firsts, np.ones_like(firsts))
