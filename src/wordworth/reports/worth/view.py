"""`WorthView`: a `worth` record prepared for its page, with its rungs, their titles and styles, costs and metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import PLAIN, SeriesStyle, ladder_styles
from wordworth.reports.number_format import Unit, finite, unit
from wordworth.reports.record_view import RecordView, Row, rows_of

_CONTEXTUAL = frozenset({"frozen", "hybrid", "finetuned"})
"""The contextual families of records without the ladder's column `contextual`."""


@dataclass(frozen=True)
class WorthView(RecordView):
    """A `worth` record for its page.

    A rung is one text representation of the ladder with its classifier.
    """

    @cached_property
    def ladder(self) -> dict[str, Row]:
        """Rung -> its row in the table `ladder`, the cheapest first."""
        return {row["rung"]: row for row in self.rows("ladder")}

    @cached_property
    def styles(self) -> dict[str, SeriesStyle]:
        """Rung -> its colour and marker."""
        return ladder_styles({rung: row["family"] for rung, row in self.ladder.items()})

    @cached_property
    def unit(self) -> Unit:
        """The unit in which scores of the study's metric are written."""
        return unit(str(self.data["metric"]), str(self.data.get("metric_title") or ""))

    @cached_property
    def costs(self) -> dict[str, Row]:
        """Rung -> its costs on the machine of the study; empty if nothing was timed."""
        costs = self.plain["timings"].get("costs")
        return {row["rung"]: row for row in rows_of(costs)} if costs else {}

    @property
    def decision(self) -> Row:
        """The decision map for the machine of the study; empty if the record has none, or if no cell names a rung."""
        decision: Row = self.plain["timings"].get("decision") or {}
        return decision if any(rung for row in decision.get("rung") or () for rung in row) else {}

    @property
    def uncertain(self) -> list[list[bool]]:
        """Whether the verdict cannot tell, for each cell [row][column] of the decision map."""
        decided = [[False] * len(self.decision["labels"])] * len(self.decision["texts_per_month"])
        return self.decision.get("uncertain") or decided

    @property
    def map_is_uniform(self) -> bool:
        """Whether every cell of the decision map says the same, so that a drawing would show nothing."""
        cells = [is_open for row in self.uncertain for is_open in row]
        return all(cells) or (not any(cells) and len({rung for row in self.decision["rung"] for rung in row}) == 1)

    @property
    def margin(self) -> float | None:
        """The largest loss in score at which a rung is still good enough, on the metric's scale; None without one."""
        return finite(self.verdict.get("epsilon"))

    @property
    def top(self) -> int | None:
        """The largest number of labels that was measured."""
        counts = [int(row["labels"]) for row in self.rows("curve") if not row["extrapolated"]]
        counts += [int(row["labels"]) for row in self.ladder.values() if row["labels"] is not None]
        return max(counts, default=None)

    @property
    def currency(self) -> str:
        """The sign before prices."""
        return str(self.settings.get("currency", "$"))

    def title(self, rung: str | None) -> str:
        """Return the title of a rung for readers.

        Titles of earlier versions, such as `MiniLM, frozen`, are written as `MiniLM (frozen)`.
        """
        if rung is None:
            return "no rung"
        if rung not in self.ladder:
            return rung
        name, comma, rest = str(self.ladder[rung]["title"]).partition(", ")
        return f"{name} ({rest})" if comma else name

    def style(self, rung: str | None) -> SeriesStyle:
        """Return the style of a rung; grey for a rung that is not on the ladder."""
        return self.styles.get(rung or "", PLAIN)

    def is_floor(self, rung: str) -> bool:
        """Return True for a rung that predicts a constant, as its score would stretch the axis of every chart."""
        return rung in self.ladder and self.ladder[rung]["family"] == "constant"

    def is_contextual(self, rung: str) -> bool:
        """Return True for a rung that reads words in their context."""
        row = self.ladder.get(rung, {})
        return bool(row.get("contextual", row.get("family") in _CONTEXTUAL))

    @cached_property
    def has_context(self) -> bool:
        """Whether any rung that reads words in their context was measured."""
        return any(self.is_contextual(rung) for rung in self.scored())

    @property
    def chosen(self) -> str | None:
        """The rung that the verdict names, or the best one if it names none."""
        rung = self.verdict.get("rung") or self.best
        return rung if rung in self.ladder else self.best

    @property
    def best(self) -> str | None:
        """The rung with the best score at the largest number of labels."""
        named = self.verdict.get("best")
        if named in self.ladder:
            return str(named)
        return self._best_of(self.scored())

    def _best_of(self, rungs: Sequence[str]) -> str | None:
        return max(rungs, key=lambda rung: finite(self.ladder[rung]["score"]) or 0.0, default=None)

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """The two rungs whose difference the verdict names, in the verdict's order; fewer if fewer have a score.

        Records of earlier versions name only the second; the first is then the chosen rung.
        """
        first, second = self.verdict.get("compared") or self.chosen, self.verdict.get("against")
        if second not in self.ladder or second == first:
            second = self.best
        if second == first:
            second = self._best_of([rung for rung in self.scored() if rung != first])
        return tuple(str(rung) for rung in (first, second) if rung in self.ladder)

    @property
    def compared_gap(self) -> tuple[float, ...]:
        """The difference of the two rungs in `compared`, and the ends of its 95 % interval; empty if not known."""
        verdict = self.verdict
        if len(self.compared) < 2 or (verdict.get("compared"), verdict.get("against")) != self.compared:  # noqa: PLR2004 - a pair
            return ()
        known = [finite(verdict.get(name)) for name in ("gap", "low", "high")]
        return tuple(number for number in known if number is not None) if None not in known else ()

    def scored(self) -> list[str]:
        """Return the rungs that have a score, the cheapest first."""
        return [rung for rung, row in self.ladder.items() if finite(row["score"]) is not None]

    def rate(self, rung: str) -> float | None:
        """Return the texts per second of a rung; None if it was not timed."""
        return finite(self.costs.get(rung, {}).get("texts_per_second"))

    def pair(self, row: Row) -> tuple[str, str]:
        """Return the two rungs that a row compares; one that reads context comes after one that does not."""
        rung, against = str(row["rung"]), str(row["against"])
        return (against, rung) if self.is_contextual(rung) and not self.is_contextual(against) else (rung, against)

    def interval(self, row: Row, prefix: str = "", *, signed: bool = False) -> str:
        """Return the text of a row's interval; empty if an end is missing.

        Args:
            row: row of the record.
            prefix: prefix of the columns `low` and `high`.
            signed: whether the ends have signs.
        """
        return self.unit.interval(finite(row[f"{prefix}low"]), finite(row[f"{prefix}high"]), signed=signed)

    def score_text(self, row: Row) -> str:
        """Return the text of a row's score with its interval, `78.4 (76.9–79.8)`."""
        return self.interval_text(*(finite(row[name]) for name in ("score", "low", "high")))

    def interval_text(self, score: float | None, low: float | None, high: float | None) -> str:
        """Return the text of a score with its interval; without the interval if an end is missing."""
        between = self.unit.interval(low, high)
        return f"{self.unit.score(score)} ({between})" if between else self.unit.score(score)
