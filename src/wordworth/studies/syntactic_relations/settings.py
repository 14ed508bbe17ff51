"""The settings of `wordworth study relations`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationsSettings:
    """Settings of the study `relations`, on attention heads that follow syntactic relations."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    treebank: Path | str | None = setting(None, "A treebank: a file, or a name such as en_ewt.")
    limit: int = setting(2_000, "Most sentences, drawn at random.", at_least(4))
    words: int = setting(50, "Fewest words of a relation in each half of the sentences.", at_least(1))
    subtypes: bool = setting(False, "Count a subtype such as nsubj:pass as a relation of its own.")
    possessives: bool = setting(
        False, "Count the 's after a possessor as right too, in its relation (the paper's poss)."
    )
    probes: bool = setting(False, "Train probes that combine all heads, and their controls.")
    coreference: Path | str | None = setting(None, "Sentences with pronouns: a file, or a name such as dpr_train.")
    draws: int = setting(1_000, "Bootstrap resamples of documents per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
