"""The settings of `wordworth study layers` and of `wordworth probe`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeSettings:
    """Settings for training probes on a user's own labelled texts."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    data: Path | str | None = setting(
        None, "Labelled texts, or sentences with a tag for each word: .csv, .jsonl, .parquet or CoNLL."
    )
    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    group: str | None = setting(None, "Column of groups (an author, a document): none is both learned and measured.")
    limit: int = setting(
        1_000,
        "Most texts to learn from, drawn at random; a quarter as many decide, half as many measure.",
        at_least(40),
    )
    draws: int = setting(1_000, "Bootstrap resamples of texts per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class LayersSettings(ProbeSettings):
    """Settings of the study `layers`, which probes the layers of an encoder."""

    tasks: tuple[str, ...] = setting(
        (), "Tasks: pos, chunk, dep, ner, spr, rel or dpr, or name=file of your own. Repeatable."
    )
