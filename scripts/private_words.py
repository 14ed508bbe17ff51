"""The words that `check_words.py` refuses, and where each of them is right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

NAMES = frozenset(
    [
        "found",
        "one",
        "ones",
        "said",
        "told",
        "given",
        "asked",
        "mine",
        "some",
        "place",
        "places",
        "shown",
        "crew",
        "sitting",
        "desk",
        "climbed",
        "dear",
        "parted",
        "ahead",
        "begun",
        "doubt",
        "doubts",
        "mark_of",
        "whom",
        "looked",
        "lead",
        "leads",
        "taught",
    ]
)
"""Names that say nothing of what they hold, wherever they stand."""
API_NAMES = frozenset(
    [
        "kept",
        "held",
        "sheet",
        "beside",
        "counted",
        "spread",
        "looks",
        "written",
        "listed",
        "twins",
        "beyond",
        "alike",
        "spoken",
        "whoever",
        "parting",
        "says",
        "tells",
    ]
)
"""Names that say too little where the code is not at hand: of functions, classes, parameters and fields."""
TEXT = {
    "told": re.compile(r"(?<!\bbe )\btold\b(?! apart| from)", re.IGNORECASE),
    "looks": re.compile(r"\b(?:their|its|\w+'s|of|\w+ing|two|four|eight|several|all|more) looks\b|`looks`|^looks$"),
    **{
        word: re.compile(rf"\b{word}\b", re.IGNORECASE)
        for word in ("sitting", "crew", "desk", "whoever", "spoken", "mine", "parting", "parted", "climbed", "dear")
    },
}
"""Words that docstrings, help and messages do without -> how they are recognised; *told apart* is plain English."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A word that is right in one place.

    Attributes:
        word: the word, as a name or in a text.
        where: the beginning of the paths of the files.
        why: the reason.
    """

    word: str
    where: str
    why: str


ALLOWED = (
    Allowed("looks", "src/wordworth/studies/worth/", "sequential analysis calls each interim verdict a look"),
    Allowed("looks", "benchmarks/verdict_simulation.py", "as in studies/worth"),
    Allowed("looks", "recipes/parts/learned.py", "the name of a table in published records"),
    Allowed("told", "recipes/parts/domain_stores.py", "the name of a file of published runs"),
    Allowed("shown", "src/wordworth/studies/senses/", "a setting in records, and a keyword of `senses`, since 0.1.0"),
    Allowed("beside", "src/wordworth/studies/attention/", "the second model of a page, side by side with the first"),
    Allowed("spoken", "recipes/spoken_digits.py", "the name of the data set"),
    Allowed("mine", "src/wordworth/cli/search.py", "the command that mines pairs, as the field calls it"),
    Allowed("mine", "src/wordworth/cli/search_mine.py", "as in cli/search.py"),
    Allowed("spread", "benchmarks/measure.py", "the lowest, middle and highest of repeated measurements"),
)


def is_allowed(word: str, path: Path) -> bool:
    """Return True if a word is right in a file."""
    return any(word == allowed.word and path.as_posix().startswith(allowed.where) for allowed in ALLOWED)
