"""The ranking of static tables by their mean score over benchmarks that score all of them, and their short names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath

from wordworth.studies.word_benchmarks.evaluation import COMMON, DROP, BenchmarkScore
from wordworth.studies.word_benchmarks.score_on_benchmark import Score


def labels(names: Sequence[str]) -> dict[str, str]:
    """Return name of each table -> short label: the shortest end of the name's path that no other name has.

    >>> labels(["glove", "/run/one/static", "/run/two/static"])
    {'glove': 'glove', '/run/one/static': 'one/static', '/run/two/static': 'two/static'}
    """
    components = {name: PurePath(name).parts or (name,) for name in names}
    return {
        name: _tail(name, components[name], [components[other] for other in names if other != name]) for name in names
    }


def _tail(name: str, components: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> str:
    for count in range(1, len(components)):
        if all(other[-count:] != components[-count:] for other in others):
            return "/".join(components[-count:])
    return name


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean score of a static table of word vectors over similarity benchmarks, under one policy for missing words.

    Attributes:
        model: name of the table.
        policy: how items with missing words are scored: `MEAN`, `DROP` or `COMMON`.
        score: the mean with its bootstrap distribution.
        cells: the scores that are averaged, one for each benchmark.
    """

    model: str
    policy: str
    score: Score
    cells: tuple[BenchmarkScore, ...]

    @property
    def covered(self) -> float:
        """The share, from 0 to 1, of the pairs of the averaged benchmarks that were scored."""
        return sum(cell.items for cell in self.cells) / sum(cell.total for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The tables of word vectors in order of their scores.

    Attributes:
        what: name of the score by which tables are ranked, such as the mean over benchmarks of Spearman's correlation.
        policy: how items with missing words are scored: `COMMON` for several tables, `DROP` for one.
        cells: the scores of one of the tables on each of the benchmarks over which the score is a mean.
        scores: name of a table -> score of the table, the best first.
    """

    what: str
    policy: str
    cells: tuple[BenchmarkScore, ...]
    scores: Mapping[str, Score]

    def gaps(self) -> Iterator[tuple[str, str, Score]]:
        """Yield (higher table, lower table, higher score minus lower score) for every two static tables."""
        for upper, lower in combinations(self.scores, 2):
            yield upper, lower, self.scores[upper].minus(self.scores[lower])


def displayed_policy(cells: Sequence[BenchmarkScore]) -> str:
    """Return the policy for missing words under which scores are displayed.

    The policy is `COMMON` for several static tables, `DROP` for a single one.
    """
    return COMMON if any(cell.policy == COMMON for cell in cells) else DROP


def means(cells: Sequence[BenchmarkScore]) -> list[Mean]:
    """Return the mean score of each static table over similarity benchmarks, under each policy for missing words.

    Under the policy `COMMON` the mean is over the benchmarks on which all tables have a score.
    """
    counted = [cell for cell in cells if cell.word_set.in_mean]
    shared = _scored_by_all([cell for cell in counted if cell.policy == COMMON])
    averages = []
    for model, policy in dict.fromkeys((cell.model, cell.policy) for cell in counted):
        own = [cell for cell in counted if (cell.model, cell.policy) == (model, policy) and cell.score.defined]
        own = [cell for cell in own if policy != COMMON or (cell.word_set.name, cell.metric) in shared]
        if own:
            averages.append(Mean(model, policy, Score.mean([cell.score for cell in own]), tuple(own)))
    return averages


def rank_tables(cells: Sequence[BenchmarkScore]) -> Ranking | None:
    """Rank static tables by their mean score over similarity benchmarks.

    If the tables have no such mean, they are ranked by the first benchmark that scores all tables.

    Returns:
        The ranking; None if no benchmark scores all tables.
    """
    policy = displayed_policy(cells)
    if of_policy := [mean for mean in means(cells) if mean.policy == policy]:
        best = sorted(of_policy, key=lambda mean: -mean.score.point)
        what = "Spearman's correlation" if len(of_policy[0].cells) == 1 else "mean of Spearman's correlation"
        return Ranking(what, policy, of_policy[0].cells, {mean.model: mean.score for mean in best})
    displayed = [cell for cell in cells if cell.policy == policy]
    for name, metric in _scored_by_all(displayed):
        of_set = [cell for cell in displayed if (cell.word_set.name, cell.metric) == (name, metric)]
        best_cells = sorted(of_set, key=lambda cell: -cell.score.point)
        return Ranking(metric, policy, (of_set[0],), {cell.model: cell.score for cell in best_cells})
    return None


def _scored_by_all(cells: Sequence[BenchmarkScore]) -> list[tuple[str, str]]:
    """Return (name of a benchmark, metric) for each benchmark and metric by which every table has a score."""
    pairs = dict.fromkeys((cell.word_set.name, cell.metric) for cell in cells)
    undefined = {(cell.word_set.name, cell.metric) for cell in cells if not cell.score.defined}
    return [pair for pair in pairs if pair not in undefined]
