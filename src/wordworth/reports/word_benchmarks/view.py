"""A view of a words record for its page: its tables, its sets, and the scores under the policy that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.layered_view import LOOKS
from wordworth.reports.record_view import RecordView, Row

POLICIES = {
    "common": "what every table knows",
    "drop": "what the table knows itself",
    "mean": "every item, the mean vector for missing words",
}
NOUNS = {"similarity": "pairs", "analogy": "questions", "category": "words", "relation": "pairs"}


@dataclass(frozen=True)
class View(RecordView):
    """The record and its tables."""

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Each table's short name, in the order of the study."""
        return {str(row["name"]): str(row["label"]) for row in self.data["tables"]}

    @cached_property
    def looks(self) -> Mapping[str, SeriesStyle]:
        """The colour and shape of each table, the same everywhere."""
        return {name: LOOKS[index % len(LOOKS)] for index, name in enumerate(self.labels)}

    @cached_property
    def misjudged(self) -> Mapping[tuple[str, str], list[Row]]:
        """Pairs on which a table disagrees most with people, by (set, table)."""
        pairs: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows("misjudged"):
            pairs.setdefault((str(row["set"]), str(row["model"])), []).append(row)
        return pairs

    @cached_property
    def policy(self) -> str:
        """The policy for missing words whose scores are shown."""
        return "common" if any(row["policy"] == "common" for row in self.rows("scores")) else "drop"

    def scores(self, policy: str = "") -> Mapping[tuple[str, str], Mapping[str, Row]]:
        """The rows (set, metric) -> table -> row, under the policy that is shown or another."""
        by_set: dict[tuple[str, str], dict[str, Row]] = {}
        for row in self.rows("scores"):
            if row["policy"] == (policy or self.policy):
                by_set.setdefault((str(row["set"]), str(row["metric"])), {})[str(row["model"])] = row
        return by_set
