"""`WorthView`: a `worth` record prepared for its page, with its rungs, their titles and styles, costs and metric.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import PLAIN, SeriesStyle, ladder_styles
from wordworth.reports.number_format import Unit, finite, unit
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.sentence_formatting import capitalised

_CONTEXTUAL = frozenset({"frozen", "hybrid", "finetuned"})
"""The contextual families of records without the ladder's column `contextual`."""
OUTLOOK = "By these labels alone, a definite answer has a probability of "
"""The words that the record's sentences on what would decide an open verdict begin with; the page sets them apart."""
TITLED_IN_WORDS = frozenset({"constant", "counts", "random"})
"""The families of rungs whose titles are words, such as `majority class`, and not the name of a model."""


@dataclass(frozen=True)
class WorthView(RecordView):
    """A `worth` record prepared for its page: rungs with their titles, styles, scores and costs."""

    @cached_property
    def ladder(self) -> dict[str, Row]:
        """Name of each rung -> its row in the table `ladder`, the cheapest rung first."""
        return {row["rung"]: row for row in self.rows("ladder")}

    @cached_property
    def styles(self) -> dict[str, SeriesStyle]:
        """Name of each rung -> its colour and marker in charts."""
        return ladder_styles({rung: row["family"] for rung, row in self.ladder.items()})

    @cached_property
    def unit(self) -> Unit:
        """The unit in which scores of the study's metric are written."""
        return unit(str(self.data["metric"]), str(self.data.get("metric_title") or ""))

    @cached_property
    def costs(self) -> dict[str, Row]:
        """Name of each rung -> its costs on the study's machine; empty if nothing was timed."""
        costs = self.plain["timings"].get("costs")
        return {row["rung"]: row for row in rows_of(costs)} if costs else {}

    @property
    def decision(self) -> Row:
        """The decision map: for numbers of labels and of texts a month, the cheapest rung that the verdict allows.

        The map holds for the machine of the study. It is empty if the record has no map, or if no cell of the map
        names a rung.
        """
        decision: Row = self.plain["timings"].get("decision") or {}
        return decision if any(rung for row in decision.get("rung") or () for rung in row) else {}

    @property
    def uncertain(self) -> list[list[bool]]:
        """Return for each cell [row][column] of the decision map whether the verdict is *cannot tell yet*.

        A row of the map is a number of texts per month, a column a number of labels.
        """
        decided = [[False] * len(self.decision["labels"])] * len(self.decision["texts_per_month"])
        return self.decision.get("uncertain") or decided

    @property
    def map_is_uniform(self) -> bool:
        """Whether all cells of the decision map say the same, so that a drawing of the map would show nothing.

        All cells say the same if the verdict is uncertain in every cell, or names the same rung in every cell.
        """
        cells = [is_open for row in self.uncertain for is_open in row]
        return all(cells) or (not any(cells) and len({rung for row in self.decision["rung"] for rung in row}) == 1)

    @property
    def margin(self) -> float | None:
        """The margin of the verdict, as a difference of scores on the metric's scale; None in a record without one.

        A rung whose score is lower than the best by no more than the margin is good enough.
        """
        return finite(self.verdict.get("epsilon"))

    @property
    def most_labels(self) -> int | None:
        """The largest number of labels with which a score was measured; None if no score was measured."""
        counts = [int(row["labels"]) for row in self.rows("curve") if not row["extrapolated"]]
        counts += [int(row["labels"]) for row in self.ladder.values() if row["labels"] is not None]
        return max(counts, default=None)

    @property
    def currency(self) -> str:
        """The currency sign that is written before prices, such as `$`."""
        return str(self.settings.get("currency", "$"))

    def title(self, rung: str | None) -> str:
        """Return the title of a rung, as readers see it.

        Titles of earlier versions, such as `MiniLM, frozen`, are written as `MiniLM (frozen)`.
        """
        if rung is None:
            return "no rung"
        if rung not in self.ladder:
            return rung
        name, comma, rest = str(self.ladder[rung]["title"]).partition(", ")
        return f"{name} ({rest})" if comma else name

    def sentences_of(self, text: str) -> str:
        """Return a text whose sentences begin with a capital, unless they begin with the name of a model."""
        rungs = [rung for rung, row in self.ladder.items() if row["family"] in TITLED_IN_WORDS]
        return capitalised(text, map(self.title, rungs))

    def style(self, rung: str | None) -> SeriesStyle:
        """Return the style of a rung in charts; grey for a rung that is not on the ladder."""
        return self.styles.get(rung or "", PLAIN)

    def is_floor(self, rung: str) -> bool:
        """Return True for a rung that predicts the same class for every text.

        Charts treat it apart, since its low score would stretch their axes.
        """
        return rung in self.ladder and self.ladder[rung]["family"] == "constant"

    def is_contextual(self, rung: str) -> bool:
        """Return True for a rung that reads words in their context."""
        row = self.ladder.get(rung, {})
        return bool(row.get("contextual", row.get("family") in _CONTEXTUAL))

    @cached_property
    def has_context(self) -> bool:
        """Whether any rung that reads words in their context has a score."""
        return any(self.is_contextual(rung) for rung in self.scored())

    @property
    def chosen(self) -> str | None:
        """The name of the rung in the verdict, or of the best rung if the verdict names none."""
        rung = self.verdict.get("rung") or self.best
        return rung if rung in self.ladder else self.best

    @property
    def best(self) -> str | None:
        """The name of the rung with the best score at the largest number of labels."""
        named = self.verdict.get("best")
        if named in self.ladder:
            return str(named)
        return self._best_of(self.scored())

    def _best_of(self, rungs: Sequence[str]) -> str | None:
        return max(rungs, key=lambda rung: finite(self.ladder[rung]["score"]) or 0.0, default=None)

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """The names of the two rungs whose difference the verdict states, in the verdict's order.

        There are fewer names if fewer rungs have a score. Records of earlier versions name only the second rung; the
        first is then `chosen`.
        """
        first, second = self.verdict.get("compared") or self.chosen, self.verdict.get("against")
        if second not in self.ladder or second == first:
            second = self.best
        if second == first:
            second = self._best_of([rung for rung in self.scored() if rung != first])
        return tuple(str(rung) for rung in (first, second) if rung in self.ladder)

    @property
    def compared_gap(self) -> tuple[float, ...]:
        """The difference in score of the rungs in `compared`, first minus second, and the ends of its 95 % interval.

        The tuple is empty if the record lacks one of these numbers, or has them for two other rungs.
        """
        verdict = self.verdict
        if len(self.compared) < 2 or (verdict.get("compared"), verdict.get("against")) != self.compared:  # noqa: PLR2004 - a pair
            return ()
        known = [finite(verdict.get(name)) for name in ("gap", "low", "high")]
        return tuple(number for number in known if number is not None) if None not in known else ()

    def scored(self) -> list[str]:
        """Return the names of the rungs that have a score, the cheapest first."""
        return [rung for rung, row in self.ladder.items() if finite(row["score"]) is not None]

    def rate(self, rung: str) -> float | None:
        """Return the number of texts that a rung reads per second; None if it was not timed."""
        return finite(self.costs.get(rung, {}).get("texts_per_second"))

    def pair(self, row: Row) -> tuple[str, str]:
        """Return the names of the two rungs that a row of a record's table compares.

        If only one of the rungs reads words in their context, that rung comes second.
        """
        rung, against = str(row["rung"]), str(row["against"])
        return (against, rung) if self.is_contextual(rung) and not self.is_contextual(against) else (rung, against)

    def interval(self, row: Row, prefix: str = "", *, signed: bool = False) -> str:
        """Return the interval in a row as text, such as `76.9–79.8`; empty if an end is missing.

        Args:
            row: row of a table of the record.
            prefix: prefix of the columns `low` and `high`.
            signed: whether the ends are written with a sign, as for differences.
        """
        return self.unit.interval(finite(row[f"{prefix}low"]), finite(row[f"{prefix}high"]), signed=signed)

    def score_text(self, row: Row) -> str:
        """Return a row's columns `score`, `low` and `high` as a score with its interval, such as `78.4 (76.9–79.8)`."""
        return self.interval_text(*(finite(row[name]) for name in ("score", "low", "high")))

    def interval_text(self, score: float | None, low: float | None, high: float | None) -> str:
        """Return the text of a score with its interval.

        Args:
            score: the score.
            low: the lower end of the interval; if it is None, the text is the score alone.
            high: the upper end of the interval; if it is None, the text is the score alone.
        """
        between = self.unit.interval(low, high)
        return f"{self.unit.score(score)} ({between})" if between else self.unit.score(score)
