"""Whole words: all subwords of a word are masked or none (google-research/bert, README of May 2019).

As there, each subword still draws its own replacement. One quirk of the original is left out: a text cut in the middle
of a word begins with a continuation, which the original counts to the last word before the separator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.training.objectives.masking.sampling import Groups, Text


@dataclass(frozen=True, slots=True)
class WholeWords:
    """The subwords of a word are one group."""

    together: bool = False

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """Return all words as groups."""
        return text.words()
