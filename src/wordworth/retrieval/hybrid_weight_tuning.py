"""`tune_search`: choose the weight of vectors in hybrid search by labelled queries, and measure the gain.

The gain is the rise in mean reciprocal rank over search by vectors alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.build import keep_weight
from wordworth.retrieval.exact_search import Nearest
from wordworth.retrieval.index import Index
from wordworth.retrieval.rank_fusion import DEPTH, fused
from wordworth.seeds import child
from wordworth.sentence_formatting import count_of
from wordworth.settings_validation import setting, settings_from, validate
from wordworth.text.file_formats.base import require_columns
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.file_formats.read import read_rows

WEIGHTS = np.linspace(0, 1, 21)
FEWEST = 20
"""Fewest labelled queries that are accepted: half of them choose the weight, the other half measures it."""
_TOP = 10
_DRAWS = 2_000
_EQUAL = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneSettings:
    """Settings of `tune_search`."""

    query: str = setting("query", "Column of the queries.")
    id: str = setting("id", "Column of the ids of texts that answer them, one a row.")
    seed: int = setting(0, "Seed of the halves of the queries, and of the intervals.")

    def __post_init__(self) -> None:
        validate(self)


def tune_search(
    labels: TableSource,
    index: Path | str,
    *,
    query: str = "query",
    id: str = "id",  # noqa: A002 - as --id
    seed: int = 0,
    progress: Progress = SILENT,
) -> pd.DataFrame:
    """Choose the weight of the ranking by vectors in the method `hybrid`, and store it in the index.

    The weight with the highest mean reciprocal rank on a random half of the queries is chosen. On the other half,
    `dense`, `bm25`, and `hybrid` with equal weights and with the chosen weight are measured. The reciprocal rank of a
    query is 1 divided by the rank of the first text that answers the query; 0 if no such text is among the first ten.

    Args:
        labels: a file or a table of queries and the ids of texts that answer them.
        index: folder of the index.
        query: the column of the queries.
        id: the column of the ids; a query with several answers has several rows.
        seed: seed of the halves of the queries, and of the intervals.
        progress: receives the progress.

    Returns:
        A row for each method: `method`; `weight` of the ranking by vectors; `score` (mean reciprocal rank, from 0 to 1)
        with its interval `low` to `high`; `gain`, the score minus the score of `dense`, with its interval `gain_low` to
        `gain_high`; and `queries`, the number of queries measured. All intervals are 95 % bootstrap intervals over the
        queries; a gain's interval is of the paired differences.

    Raises:
        BadInput: a column is missing, an id is not in the index, there are fewer than 20 queries, or the index or its
            model cannot be read.

    >>> tune_search("labels.csv", "index/")  # doctest: +SKIP
    """
    settings = settings_from(locals(), TuneSettings)
    opened = Index.open(as_path(index, "--index"))
    with as_file(labels) as path:
        answers = _answers(path, settings, opened)
    texts = list(answers)
    with progress.step("searching"):
        dense, words = opened.dense_rankings(texts, DEPTH), opened.word_rankings(texts, DEPTH)
    relevant = [answers[text] for text in texts]
    by_weight = np.array(
        [
            [_reciprocal(fused(by_vectors, by_words, _TOP, weight), rows) for weight in WEIGHTS]
            for by_vectors, by_words, rows in zip(dense, words, relevant, strict=True)
        ]
    )
    order = child(seed, "halves").permutation(len(texts))
    learned_from, judged = order[: len(texts) // 2], order[len(texts) // 2 :]
    best = int(np.argmax(by_weight[learned_from].mean(axis=0)))
    equal = int(np.argmin(np.abs(WEIGHTS - _EQUAL)))
    keep_weight(opened.folder, float(WEIGHTS[best]))
    methods = {"dense": len(WEIGHTS) - 1, "bm25": 0, "hybrid, equal weights": equal, "hybrid, learned weight": best}
    scores = {name: by_weight[judged, column] for name, column in methods.items()}
    alone = {"dense": dense, "bm25": words}
    for name, rankings in alone.items():
        scores[name] = np.array([_reciprocal(rankings[row], relevant[row]) for row in judged])
    rows = [_row(name, float(WEIGHTS[methods[name]]), scores[name], scores["dense"], seed) for name in methods]
    return pd.DataFrame(rows)


def _row(name: str, weight: float, values: Floats, dense: Floats, seed: int) -> dict[str, object]:
    both = np.stack([values, values - dense])
    score, gain = (interval(mean_draws(each, _DRAWS, child(seed, "draws"))) for each in both)
    measured = {"method": name, "weight": weight, "score": float(values.mean()), **score.columns()}
    return {**measured, "gain": float(both[1].mean()), **gain.columns("gain_"), "queries": len(values)}


def _reciprocal(ranking: Nearest, relevant: set[int]) -> float:
    """Return 1 / rank of the first relevant row among the first ten; 0 if none of them is relevant."""
    ranks = (rank for rank, row in enumerate(ranking.rows[:_TOP].tolist(), start=1) if row in relevant)
    return 1 / next(ranks, np.inf)


def _answers(path: Path, settings: TuneSettings, index: Index) -> Mapping[str, set[int]]:
    """Return query -> the numbers of the index's rows that answer it, from a file of queries and ids."""
    table = read_rows(path)
    require_columns((settings.query, settings.id), table.columns.keys(), str(path))
    queries, names = table.columns[settings.query], table.columns[settings.id]
    wanted = set(names)
    cells = index.ids().to_pylist()
    row_of = {name: row for row, name in enumerate(cells) if name in wanted and index.live[row]}
    answers: dict[str, set[int]] = {}
    for query, name in zip(queries, names, strict=True):
        if name not in row_of:
            what = f"no text of the index has the id {name!r:.60}"
            mend = "give ids as search ask prints them, or leave out the rows of texts that were deleted"
            raise BadInput(what, where=f"{path}, column {settings.id!r}", mend=mend)
        answers.setdefault(query, set()).add(row_of[name])
    if len(answers) < FEWEST:
        what = f"{count_of(len(answers), 'query', 'queries')} cannot teach a weight"
        raise BadInput(what, where=str(path), mend=f"give at least {FEWEST}")
    return answers
