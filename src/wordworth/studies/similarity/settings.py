"""The settings of `wordworth study similarity`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, flag_of, setting, validate
from wordworth.studies.word_vectors_by_layer import Units

_WITHOUT_EFFECT = {
    "two texts": ("text", "text_b", "top", "limit", "examples", "draws", "seed"),
    "pairs of a table": ("top",),
    "a query": ("limit", "examples"),
}
"""What is compared -> names of the settings that have no effect on it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SimilaritySettings:
    """Settings of the study `similarity`, on the words that make texts similar."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    data: Path | None = setting(None, "A table of pairs of texts; with --query, a table of texts.")
    text: str | None = setting(None, "Column of the texts, or of the first texts. [default: a usual name]")
    text_b: str | None = setting(None, "Column of the second texts. [default: a usual name]")
    query: str | None = setting(None, "Compare this text with those of the table that are most similar to it.")
    top: int = setting(5, "Number of texts that are compared with the query.", at_least(1))
    units: Units = setting("words", "Whether rows and columns are words or pieces of the tokenizer.")
    limit: int = setting(1_000, "Most pairs of the table, drawn at random.", at_least(1))
    examples: int = setting(5, "Number of pairs of the table that are shown one by one.", at_least(1))
    draws: int = setting(1_000, "Bootstrap resamples of pairs per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)

    @property
    def changed(self) -> list[str]:
        """The names of the settings that differ from their defaults."""
        return [each.name for each in fields(self) if getattr(self, each.name) != each.default]


def require_effect(settings: Collection[str], *, table: bool, query: bool) -> None:
    """Check that each setting that the user gave has an effect on what is compared.

    Args:
        settings: names of the settings that the user gave.
        table: whether a table is given, rather than two texts.
        query: whether the texts of the table are compared with a query.

    Raises:
        BadInput: a setting has no effect; the error names it.
    """
    if not table:
        kind, mend = "two texts", "leave it out, or give a table with --data"
    elif query:
        kind, mend = "a query", "leave it out, or leave --query out"
    else:
        kind, mend = "pairs of a table", "leave it out, or give a --query"
    for name in _WITHOUT_EFFECT[kind]:
        if name in settings:
            raise BadInput(f"this has no effect on {kind}", where=flag_of(name), mend=mend)
