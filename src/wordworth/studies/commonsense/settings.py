"""The settings of `wordworth study commonsense`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class CommonsenseSettings:
    """Settings of the study `commonsense`, which asks a model about pronouns, endings and minimal pairs, zero-shot."""

    model: str = setting("mini", "An encoder or a language model: a name, a folder or a hub name.")
    data: tuple[str, ...] = setting(
        (),
        "Files, or names of published sets such as wsc273, copa and blimp. [default: the sets of common sense in "
        "$WORDWORTH_DATA]",
    )
    limit: int = setting(1_000, "Most items of a set, or pairs of each paradigm, drawn at random.", at_least(1))
    filter_rounds: int = setting(
        0,
        "Rounds of adversarial filtering, which replaces the wrong endings in half of a set, at most 2,000 items, by "
        "machine-written ones that a discriminator finds hard. [default: none]",
        at_least(0),
    )
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
