"""Items of the study `commonsense`: a text with a gap and several options to fill it, of which one is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

Kind = Literal["pronouns", "endings", "pairs"]
"""The kind of an item's options: referents of a pronoun, endings of a text, or two whole sentences (a minimal pair)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A text with a gap and options to fill it.

    Attributes:
        before: the text before the gap.
        options: two options or more; the text with option k is `before + options[k] + after`.
        after: the text after the gap.
        answer: index of the right option, from 0.
        pronoun: the pronoun or the blank that is in the gap in the original text; "" for endings and minimal pairs.
        paradigm: the template that a minimal pair is made from; else "".
        phenomenon: the grammatical phenomenon of a minimal pair, which several paradigms may share; else "".
    """

    before: str
    options: tuple[str, ...]
    after: str
    answer: int
    pronoun: str = ""
    paradigm: str = ""
    phenomenon: str = ""

    @property
    def texts(self) -> list[str]:
        """The whole texts, one for each option put into the gap."""
        return [self.before + option + self.after for option in self.options]


@dataclass(frozen=True, slots=True)
class ChoiceSet:
    """The items of a data set.

    Attributes:
        name: name of the data set in tables.
        kind: the kind of the items: `pronouns`, `endings` or `pairs`.
        items: the items, in the order of the file.
        path, sha256: name and SHA-256 of the file that was read.
        rows: number of items in the file, before any are left out.
        published: name of a paradigm or phenomenon -> name of a model, or `human` for people -> published accuracy, 0
            to 1.
        seed_name: the name that seeds random draws: the name of a published data set, or a hash of a user's file.
    """

    name: str
    kind: Kind
    items: Sequence[Choice]
    path: str
    sha256: str
    rows: int
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seed_name: str = ""

    def sample(self, most: int, rng: np.random.Generator) -> ChoiceSet:
        """Return the data set with at most a given number of items, drawn at random.

        Args:
            most: the largest number of items; for minimal pairs, the largest number of items of each paradigm.
            rng: source of randomness.
        """
        members: dict[str, list[int]] = {}
        for number, item in enumerate(self.items):
            members.setdefault(item.paradigm, []).append(number)
        drawn = [number for each in members.values() for number in rng.permutation(each)[:most]]
        return replace(self, items=[self.items[number] for number in sorted(drawn)])
