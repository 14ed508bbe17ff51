"""`CodebookSettings`: the settings of `symbols learn`, shared by Python, the command line and the record of a run."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate

_MOST_LEAVES = 10_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class CodebookSettings:
    """Settings of hierarchical k-means, which learns a codebook."""

    k: int = setting(12, "Clusters that each cluster is divided into.", at_least(2))
    depth: int = setting(4, "Levels of clusters, which is the number of digits of a code.", at_least(1))
    rows_per_node: int = setting(
        32_768,
        "Most rows that k-means reads of a cluster, drawn at random; then every row moves the centroids.",
        at_least(100),
    )
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
        if self.k**self.depth > _MOST_LEAVES:
            what = f"--k {self.k} and --depth {self.depth} make {self.k**self.depth:,} codes"
            raise BadInput(what, mend=f"give values that make at most {_MOST_LEAVES:,}")
