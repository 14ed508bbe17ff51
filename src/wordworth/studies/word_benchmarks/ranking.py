"""Who leads: one figure a table, over sets that all tables have a score on, and the paired gaps between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from wordworth.studies.word_benchmarks.evaluation import COMMON, DROP, BenchmarkScore
from wordworth.studies.word_benchmarks.scores import Score


@dataclass(frozen=True, slots=True)
class Mean:
    """A table's mean over similarity sets under one policy."""

    model: str
    policy: str
    score: Score
    cells: tuple[BenchmarkScore, ...]

    @property
    def covered(self) -> float:
        """The share of the pairs that was counted."""
        return sum(cell.items for cell in self.cells) / sum(cell.total for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Lead:
    """The tables side by side.

    Attributes:
        what: the figure's name.
        policy: for missing words: `COMMON` for several tables, `DROP` for one.
        cells: the sets that the figure is over, once each, as the first table has them.
        scores: table -> its figure, the best first.
    """

    what: str
    policy: str
    cells: tuple[BenchmarkScore, ...]
    scores: Mapping[str, Score]

    def gaps(self) -> Iterator[tuple[str, str, Score]]:
        """Every table against every one behind it."""
        for one, other in combinations(self.scores, 2):
            yield one, other, self.scores[one].less(self.scores[other])


def shown_policy(cells: Sequence[BenchmarkScore]) -> str:
    """The policy by which tables are told: what all of them know, or of one table what it knows itself."""
    return COMMON if any(cell.policy == COMMON for cell in cells) else DROP


def means(cells: Sequence[BenchmarkScore]) -> list[Mean]:
    """A mean a table and policy, over the similarity sets that have a score: under `COMMON`, for every table."""
    counted = [cell for cell in cells if cell.of.counted]
    shared = _for_all([cell for cell in counted if cell.policy == COMMON])
    found = []
    for model, policy in dict.fromkeys((cell.model, cell.policy) for cell in counted):
        mine = [cell for cell in counted if (cell.model, cell.policy) == (model, policy) and cell.score.defined]
        mine = [cell for cell in mine if policy != COMMON or (cell.of.name, cell.metric) in shared]
        if mine:
            found.append(Mean(model, policy, Score.mean([cell.score for cell in mine]), tuple(mine)))
    return found


def lead(cells: Sequence[BenchmarkScore]) -> Lead | None:
    """The tables by their means over similarity sets, else by the first set that all have a score on; None: no such."""
    policy = shown_policy(cells)
    if mine := [mean for mean in means(cells) if mean.policy == policy]:
        best = sorted(mine, key=lambda mean: -mean.score.point)
        what = "Spearman's correlation" if len(mine[0].cells) == 1 else "mean of Spearman's correlation"
        return Lead(what, policy, mine[0].cells, {mean.model: mean.score for mean in best})
    shown = [cell for cell in cells if cell.policy == policy]
    for name, metric in _for_all(shown):
        found = [cell for cell in shown if (cell.of.name, cell.metric) == (name, metric)]
        best_cells = sorted(found, key=lambda cell: -cell.score.point)
        return Lead(metric, policy, (found[0],), {cell.model: cell.score for cell in best_cells})
    return None


def _for_all(cells: Sequence[BenchmarkScore]) -> list[tuple[str, str]]:
    """The sets and metrics on which every one of these cells has a score."""
    found = dict.fromkeys((cell.of.name, cell.metric) for cell in cells)
    without = {(cell.of.name, cell.metric) for cell in cells if not cell.score.defined}
    return [pair for pair in found if pair not in without]
