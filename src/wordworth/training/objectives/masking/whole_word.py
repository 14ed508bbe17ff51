"""Whole words: all pieces or none (google-research/bert, README of May 2019).

Each piece still draws for itself what stands in its place, as there. One quirk of the original is left out: a text
cut in a word's middle begins with a continuation, which it counts to the last word before the separator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.training.objectives.masking.sampling import Groups, Text


@dataclass(frozen=True, slots=True)
class WholeWords:
    """A word's pieces are one group."""

    together: bool = False

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """All words."""
        return text.words()
