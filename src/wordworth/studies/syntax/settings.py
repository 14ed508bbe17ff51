"""The settings of `wordworth study syntax`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class SyntaxSettings:
    """Settings of the study `syntax`, on dependency trees in a model's vectors and attention."""

    model: str = setting("minilm", "A transformer: a name, a folder or a hub name.")
    treebank: Path | str | None = setting(None, "A treebank: a file, or a name such as en_ewt.")
    test: Path | str | None = setting(
        None,
        "Another treebank, on which probes are measured; by default the named one's dev part, or half of the file.",
    )
    limit: int = setting(2_000, "Most sentences to train on, and most to measure on, drawn at random.", at_least(8))
    rank: int = setting(64, "Rank of the structural probes that are trained on every layer.", at_least(1))
    draws: int = setting(1_000, "Bootstrap resamples of documents per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
