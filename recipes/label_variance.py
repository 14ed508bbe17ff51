"""How much the difference of two rungs varies by the labels drawn, beside the test items: a prior for `worth`.

    PYTHONPATH=benchmarks python recipes/label_variance.py --data DATA --runs run/validity

The runs are those of `validity.py`, on disjoint draws of fresh labels from each data set; the remainder is scored. For
each pair of a rung and the frozen encoder, the ratio is the variance of their difference between the draws, without the
luck of each with the items, over the variance that as many test items as labels would bring. Draws are few, so a single
ratio is uncertain; the quartiles over all pairs are what the prior of `measures.training_sample_variance` should show.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from parts.validity_runs import LABELS, QUARTER, cached_runs, part
from parts.validity_sets import SETS, read_set
from validity import scores_of
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.measures.training_sample_variance import PRIOR_DEGREES, PRIOR_SHARE, SubsetRuns
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.scores import Scores

REFERENCE = "minilm"


def ratios(scores: Scores, items: int) -> Iterator[tuple[str, int, float]]:
    """Yield (rung, number of labels, ratio) for each rung beside the frozen encoder.

    Args:
        scores: the scores of runs on disjoint draws of labels.
        items: number of test items that they are scored on.
    """
    for rung, labels in scores.table:
        if rung == REFERENCE or labels not in {QUARTER, LABELS} or not scores.has(REFERENCE, labels):
            continue
        point, by_draw = scores.run_scores((rung, REFERENCE), labels)
        of_items = float(by_draw.mean(axis=0).var()) * items / labels
        if len(point) > 1 and of_items:
            runs = SubsetRuns.of(labels, point, by_draw)
            yield rung, labels, (runs.variance - runs.luck) / of_items


def main() -> None:
    """Print the ratio of each pair, their quartiles, and those of the prior."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--runs", type=Path, default=Path("run/validity"), help="folder of the kept runs")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/label_variance.json"))
    options = parser.parse_args()
    rows, run_context = [], RunContext(progress=Bars())
    for name in SETS:
        for file in sorted(options.runs.glob(f"{name}-[0-9].npz")):
            of = part(read_set(options.data, name), int(file.stem[-1]))
            if of.fresh is not None:
                fresh = cached_runs(file, of, run_context, finetune=False).fresh
                items = np.arange(len(of.fresh.test))
                scores = scores_of(fresh, of.fresh, items, folds=False)
                rows += [(file.stem, *each) for each in ratios(scores, len(items))]
    if not rows:
        mend = "make them with recipes/validity.py, or give the folder that it kept them in with --runs"
        raise BadInput("no runs on fresh labels", where=str(options.runs), mend=mend)
    prior = PRIOR_SHARE * PRIOR_DEGREES / np.random.default_rng(0).chisquare(PRIOR_DEGREES, 100_000)
    levels = [0.25, 0.5, 0.75, 0.9]
    quantiles = {
        str(labels): np.quantile([row[3] for row in rows if row[2] == labels], levels).tolist()
        for labels in (QUARTER, LABELS)
    }
    summary = {
        "quantiles": levels,
        "of the pairs, by labels": quantiles,
        "of the prior": np.quantile(prior, levels).tolist(),
    }
    print(json.dumps(summary, indent=1))
    write_text(options.out, json.dumps({"summary": summary, "pairs": rows}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
