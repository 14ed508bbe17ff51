"""The findings on a codebook: the codes in use, the unexplained variance, and how the codebook was learned."""

from __future__ import annotations

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, percent
from wordworth.training.codebook.settings import CodebookSettings

_FEW = 10
"""Rows for each code in use, below which there is a warning."""


def findings(settings: CodebookSettings, levels: Table, rows: int) -> list[Finding]:
    """Return the findings of a `codebook` record: the verdict, a warning if codes have few rows, and the method.

    Args:
        settings: the numbers of clusters and levels.
        levels: the table `levels` of the record.
        rows: number of rows of features.
    """
    last = levels.rows()[-1]
    by_code = rows / last["used"]
    warning = (
        f"There are {by_code:.1f} rows for each code in use: a model sees most codes too seldom to learn what they "
        "mean. A smaller `k` or `depth` makes fewer codes, and so do the first digits of these."
    )
    tree = (
        "Each cluster was divided by k-means by minibatches over at most "
        f"{settings.rows_per_node:,} of its rows; then every centroid became the mean of all rows nearest to it, and "
        "every row went to the nearest centroid of its cluster. So the error does not grow from level to level."
    )
    descent = (
        "A row descends to the nearest child at each level, which need not be the nearest of all codes. A cluster "
        "without rows is left out of the descent."
    )
    return [
        _verdict(settings, last, rows),
        *([Finding("warning.few_rows", warning, {"rows_per_code": by_code})] if by_code < _FEW else []),
        Finding("method.tree", tree),
        Finding("method.descent", descent),
    ]


def _verdict(settings: CodebookSettings, last: dict[str, float], rows: int) -> Finding:
    used, possible, left = int(last["used"]), int(last["codes"]), percent(last["unexplained"], 1)
    text = (
        f"{count_of(rows, 'row')} of features got codes of {count_of(settings.depth, 'digit')} in base {settings.k}: "
        f"{used:,} of {possible:,} possible codes are in use, as if {last['perplexity']:,.0f} were used equally "
        "often.\n"
        f"The mean squared distance to the centroid of a code is {left} of that to the mean of all rows."
    )
    headline = f"{used:,} of {possible:,} codes in use; {left} of the variance is left."
    return Finding("verdict", text, {"headline": headline, "used": used, "unexplained": last["unexplained"]})
