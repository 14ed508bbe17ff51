"""The first numbers of sentence vectors that were trained to be cut (`--matryoshka`), and of others.

    python benchmarks/matryoshka.py --work /tmp/matryoshka --out docs/records/matryoshka.json

`mini` learns from the pairs of SNLI and MNLI that are alike, by in-batch negatives, with the loss of the first 32, 64
and 128 numbers added or without. The first numbers of the vectors after the last update are judged by Spearman's
correlation of cosines on STS-B test; both trainings are compared at each width, seed by seed, with intervals over seeds
and pairs. Cosines are kept in `--work`, from which a stopped call goes on. Needs the data sets ($WORDWORTH_DATA).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import wordworth as ww
from measure import data_folder, report
from sentence_ablations import DRAWS, cached, positive_pairs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.bootstrap import crossed_interval, run_picks
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.distill.comparison import mean_change
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences

CUT = (32, 64, 128)
WHOLE = 256
WIDTHS = (*CUT, WHOLE)
WAYS: dict[str, dict[str, Any]] = {"without": {}, "with": {"matryoshka": CUT}}


def cosines_by_width(folder: Path, test: SentenceRows) -> dict[str, list[float]]:
    """Return width -> the cosines of the test pairs by the first so many numbers of a trained folder's vectors."""
    encoder = ww.load(folder)
    first, second = (encoder.encode(list(side)).astype(float) for side in (test.first, test.second))
    norms = {width: [np.linalg.norm(side[:, :width], axis=1) for side in (first, second)] for width in WIDTHS}
    products = {width: (first[:, :width] * second[:, :width]).sum(1) for width in WIDTHS}
    return {str(width): (products[width] / (norms[width][0] * norms[width][1])).tolist() for width in WIDTHS}


def trained(way: str, epochs: float | None, seed: int, test: SentenceRows) -> dict[str, Any]:
    """Train one model; return its cosines of the test pairs by width, and the seconds of the training.

    Args:
        way: with the loss of the first numbers, or without.
        epochs: passes over the rows; None as `train_sentences` chooses.
        seed: of the training.
        test: the test pairs.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, since = Path(folder) / "model", time.process_time()
        ww.train_sentences(
            positive_pairs("none"), out, model="mini", dev=0, epochs=epochs, seed=seed, threads=1, **WAYS[way]
        )
        return {"processor_seconds": time.process_time() - since, "cosines": cosines_by_width(out, test)}


def at_width(width: int, runs: dict[str, list[dict[str, Any]]], test: SentenceRows) -> dict[str, Any]:
    """Return the scores of both trainings by the first numbers alone, and the paired difference.

    Args:
        width: how many of the first numbers.
        runs: of each way, what `trained` returns, by seed.
        test: the test pairs.
    """
    rng = seeds.child(0, "matryoshka", str(width))
    paired = PairedChanges.of(metric("spearman", ()), test.scores, (), DRAWS, rng)
    answers = {way: [np.array(run["cosines"][str(width)]) for run in of_way] for way, of_way in runs.items()}
    row: dict[str, Any] = {"numbers": width}
    for way, own in answers.items():
        row[way] = {"score": (values := scores(own, paired)).mean(), "scores": values.tolist()}
        draws = np.stack([paired.metric.score(paired.gold, each, paired.weights) for each in own])
        row[way] |= crossed_interval(values, draws, run_picks(len(values), DRAWS, rng), 0.95).columns()
    changes = [
        paired.change(trained_for, plain)
        for trained_for, plain in zip(answers["with"], answers["without"], strict=True)
    ]
    change = mean_change(changes, len(WIDTHS), rng, paired.metric)
    return row | {"change": change.value, **change.interval.columns("change_"), "sure": bool(change.is_significant)}


def scores(cosines: list[Floats], paired: PairedChanges) -> Floats:
    """Return the score of each run's cosines, float64 [runs]."""
    return np.array([paired.score(each) for each in cosines])


def main() -> None:
    """Train both ways with every seed, and compare them at each width."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=float, help="passes over the rows; as `train_sentences` chooses by default")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    test = read_sentences(data_folder() / "stsb" / "test.csv")
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
    for seed in range(options.seeds):
        for way in WAYS:
            file = options.work / f"{way}, {options.epochs}, {seed}.json"
            runs[way].append(cached(file, lambda: trained(way, options.epochs, seed, test)))  # noqa: B023 - called at once
    facts = {"epochs": options.epochs, "seeds": options.seeds, "test": len(test)}
    spent = {way: [run["processor_seconds"] for run in of_way] for way, of_way in runs.items()}
    rows = [at_width(width, runs, test) for width in WIDTHS]
    report({**facts, "processor_seconds": spent, "widths": rows}, options.out)


if __name__ == "__main__":
    run_script(main)
