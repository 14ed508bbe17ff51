"""The tables of a `words` record: scores, their means, differences, and misjudged pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordworth.records import Table
from wordworth.studies.word_benchmarks.evaluation import BenchmarkScore, PairedDifference
from wordworth.studies.word_benchmarks.findings import POLICIES
from wordworth.studies.word_benchmarks.ranking import Ranking, means, rank_tables

_POLICIES = "; ".join(f"{name}: {meaning}" for name, meaning in POLICIES.items())
_SCORES = {
    "model": "table",
    "set": "benchmark",
    "title": "published name of the benchmark",
    "kind": "similarity, analogy, category or relation",
    "metric": "spearman, accuracy, purity, or the mean of Spearman's correlation over relations",
    "policy": _POLICIES,
    "score": "between -1 and 1; null: undefined, with too few items or all values equal",
    "low": "lower end of the 95 % interval, over resampled items (pairs that share a word together)",
    "high": "upper end of the 95 % interval",
    "items": "pairs, questions or words that were counted",
    "of": "number of items in the set",
    "candidates": "number of candidate answers of an analogy; null elsewhere",
}
_MEANS = {
    "model": "table",
    "policy": _POLICIES,
    "score": "mean of Spearman's correlation over the similarity sets that are not part of another and have a score",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
    "sets": "number of sets",
    "over": "names of the sets",
    "covered": "share of their pairs that were counted",
}
_GAPS = {
    "model": "table",
    "against": "the first table",
    "set": "benchmark",
    "metric": "of the benchmark",
    "gap": "score minus the other's, on the items of which both have every word",
    "low": "lower end of the paired 95 % interval",
    "high": "upper end of the paired 95 % interval",
    "items": "number of items that both have",
}
_LEADS = {
    "model": "table",
    "against": "a table with a lower score",
    "gap": "its mean over the similarity sets minus the other's (where there is no mean, its score on the first "
    "set), on the items of which every table has every word",
    "low": "lower end of the paired 95 % interval",
    "high": "upper end of the paired 95 % interval",
}

_MISJUDGED = {
    "set": "benchmark of word pairs",
    "model": "table",
    "first": "word",
    "second": "word",
    "people": "share of the counted pairs that people rate less similar",
    "table": "share of the counted pairs that the table rates less similar",
}


def tables_of(
    cells: Sequence[BenchmarkScore], gaps: Sequence[PairedDifference], pairs: Sequence[dict[str, Any]]
) -> dict[str, Table]:
    """Return the tables of a `words` record by name, made from scores, differences and misjudged pairs.

    Args:
        cells: the score of each table on each benchmark.
        gaps: the paired differences between tables.
        pairs: the rows of the pairs that the tables misjudge most.
    """
    return {
        "scores": Table.of([_score(cell) for cell in cells], _SCORES),
        "means": Table.of(_means(cells), _MEANS),
        "leads": Table.of(_comparisons(rank_tables(cells)), _LEADS),
        "gaps": Table.of([_gap(gap) for gap in gaps], _GAPS),
        "misjudged": Table.of(pairs, _MISJUDGED),
    }


def _score(cell: BenchmarkScore) -> dict[str, Any]:
    word_set = cell.word_set
    named = {"model": cell.model, "set": word_set.name, "title": word_set.title, "kind": word_set.kind}
    counts = {"items": cell.items, "of": cell.total, "candidates": cell.candidates}
    return named | {"metric": cell.metric, "policy": cell.policy, **cell.score.numbers("score")} | counts


def _means(cells: Sequence[BenchmarkScore]) -> list[dict[str, Any]]:
    return [
        {"model": mean.model, "policy": mean.policy, **mean.score.numbers("score"), "sets": len(mean.cells),
         "over": [cell.word_set.name for cell in mean.cells], "covered": mean.covered}
        for mean in means(cells)
    ]  # fmt: skip


def _comparisons(ranking: Ranking | None) -> list[dict[str, Any]]:
    pairs = ranking.gaps() if ranking is not None else ()
    return [{"model": upper, "against": lower, **gap.numbers("gap")} for upper, lower, gap in pairs]


def _gap(gap: PairedDifference) -> dict[str, Any]:
    named = {"model": gap.model, "against": gap.against, "set": gap.word_set.name, "metric": gap.metric}
    return named | gap.score.numbers("gap") | {"items": gap.items}
