"""The settings of `kg fuse` and of `kg link`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class FuseSettings:
    """Settings of `fuse_entities`."""

    layers: int | None = setting(
        None, "How many of the upper layers fuse entities. [default: half of them]", at_least(1)
    )
    seed: int = setting(0, "Random seed of the new weights.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSettings:
    """Settings of `link_entities`."""

    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    entities: Path | str | None = setting(
        None, "Vectors of entities: the folder of `kg train`, or an .npy; links to other entities are then refused."
    )

    def __post_init__(self) -> None:
        validate(self)
