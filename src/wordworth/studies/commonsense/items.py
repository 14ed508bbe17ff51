"""Items of the study `commonsense`: texts that differ in one place, one of which is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

Kind = Literal["pronouns", "endings", "pairs"]
"""What differs: what a pronoun stands for, how a text ends, or a sentence as a whole."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A text with options for one place.

    Attributes:
        before: what comes before the place, the same for all options.
        options: two or more; the text of option k is `before + options[k] + after`.
        after: what comes after the place.
        answer: number of the right option, from 0.
        pronoun: what stands in the place in the text as it was written: a pronoun, or a blank; "" if nothing does.
        paradigm: the template that a minimal pair is made from.
        phenomenon: what a minimal pair is about, which several paradigms may share.
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
        """The whole text with each option."""
        return [self.before + option + self.after for option in self.options]


@dataclass(frozen=True, slots=True)
class ChoiceSet:
    """The items of a data set.

    Attributes:
        name: as it is called in tables.
        kind: what differs between the texts of an item.
        items: in the order of the file.
        path, sha256: of the file that was read.
        rows: number of items in the file, of which some may be left out.
        published: of paradigms and phenomena, by name: accuracies that others published, `human` among them.
        seed_name: what seeds its draws: the name of a published set, a key of the items of the user's.
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
        """Return the set with at most so many items, of minimal pairs so many of each paradigm, drawn at random."""
        members: dict[str, list[int]] = {}
        for number, item in enumerate(self.items):
            members.setdefault(item.paradigm, []).append(number)
        drawn = [number for each in members.values() for number in rng.permutation(each)[:most]]
        return replace(self, items=[self.items[number] for number in sorted(drawn)])
