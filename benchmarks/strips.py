"""Products of a tall matrix with a few columns in strips, beside numpy's own product of the whole.

    python benchmarks/strips.py --rounds 15 --threads 1 --out figures.json

Of each shape the scores (`features @ weights`) and their slopes (`features.T @ slopes`) are asked 40 times a round, in
turns; what counts is how many times faster the strips are. The shapes are those that linear models of a study meet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from measure import Spread, arguments, in_turns, ratios, report
from wordworth.cli.scripts import run_script
from wordworth.representations.feature_blocks import product

SHAPES = [(683, 384), (1024, 384), (1024, 1024), (4096, 384), (4096, 1536)]
COLUMNS = (2, 3, 6, 18)
TIMES = 40


def again(work: Callable[[], Any]) -> Callable[[], None]:
    """Return a function that does the work many times."""

    def repeated() -> None:
        for _ in range(TIMES):
            work()

    return repeated


def measured(rows: int, width: int, columns: int, rounds: int) -> dict[str, Spread]:
    """Return how many times faster strips are, for scores and for slopes.

    Args:
        rows: rows of the features.
        width: columns of the features.
        columns: columns of the weights.
        rounds: how often each is timed.
    """
    draw = np.random.default_rng(0)
    features, weights, slopes = (
        draw.normal(size=size).astype(np.float32) for size in ((rows, width), (width, columns), (rows, columns))
    )
    faster = {}
    for name, matrix, block in (("scores", features, weights), ("slopes", features.T, slopes)):
        works = {"whole": again(partial(np.matmul, matrix, block)), "strips": again(partial(product, matrix, block))}
        for work in works.values():
            work()
        faster[name] = ratios(in_turns(works, rounds), "whole")["strips"]
    return faster


def main() -> None:
    """Time every shape."""
    options = arguments(__doc__, rounds=15)
    faster = {}
    with threadpool_limits(options.threads):
        for rows, width in SHAPES:
            for columns in COLUMNS:
                faster[f"{rows} x {width} by {columns}"] = measured(rows, width, columns, options.rounds)
    report({"times_faster": faster, "rounds": options.rounds, "threads": options.threads}, options.out)


if __name__ == "__main__":
    run_script(main)
