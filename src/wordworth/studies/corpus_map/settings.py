"""`MapSettings`: the settings of `search map`, shared by Python, the command line and the record."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import ValidRange, at_least, setting, validate

MOST_CLUSTERS, MOST_POINTS = 100, 3_000
NUMBERS = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32)
"""Numbers of clusters that are tried where the user gives none."""


def _up_to(least: int, most: int) -> ValidRange:
    return ValidRange(lambda value: least <= value <= most, f"{least:,} to {most:,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class MapSettings:
    """Settings of the map of a corpus."""

    clusters: int | None = setting(
        None,
        f"Number of clusters. [default: the one, of {NUMBERS[0]} to {NUMBERS[-1]}, at which two halves of the texts "
        "agree most beyond chance]",
        _up_to(2, MOST_CLUSTERS),
    )
    colour: str | None = setting(None, "Column of the texts whose values are compared with the clusters.")
    where: str | None = setting(None, "Condition on columns that texts pass: \"lang = 'en' AND year >= 2020\".")
    points: int = setting(
        2_000, "Most texts on the map, drawn at random; all texts get a cluster.", _up_to(10, MOST_POINTS)
    )
    seed: int = setting(0, "Random seed.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)
