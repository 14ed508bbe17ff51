"""What choices in the training of sentence vectors give: hard negatives, parts that a classifier reads, pooling.

    python benchmarks/sentence_ablations.py negatives --work /tmp/ablations --out docs/records/hard_negatives.json
    python benchmarks/sentence_ablations.py concatenations --work /tmp/ablations --out docs/records/concatenations.json
    python benchmarks/sentence_ablations.py poolings --work /tmp/ablations --out docs/records/trained_poolings.json
    python benchmarks/sentence_ablations.py scores --work /tmp/ablations --out docs/records/trained_poolings_scores.json

`mini` learns from the rows of SNLI and MNLI at hand, once for each way and seed, and is judged after the last update by
Spearman's correlation on STS-B test. `negatives` learns by the ranking loss from the pairs that are alike: without hard
negatives, with labelled contradictions, with those that three models find. `concatenations` learns the labels by the
softmax loss, by what its classifier reads of two vectors, and `poolings` by how a text's vector is made of its states;
`scores` does the same by the cosine loss from the scored pairs of STS-B's training part.
Every way is compared with the first of its kind, seed by seed; intervals are over seeds and pairs of the test. Cosines
are kept in `--work`, from which a stopped call goes on. Needs the data sets ($WORDWORTH_DATA).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import wordworth as ww
from measure import data_folder, report
from wordworth import seeds
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.bootstrap import crossed_interval, run_picks
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.distill.comparison import mean_change
from wordworth.studies.sentences.pair_feature_concatenations import CONCATENATIONS as PUBLISHED
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences, with_positives

Row = dict[str, str]
Ways = Mapping[str, Mapping[str, Any]]
DRAWS = 1_000
LABELLED = "labelled contradictions"
NEGATIVES: Ways = {
    "none": {},
    LABELLED: {},
    "mined by itself": {"negatives_from": "mini"},
    "mined by a static table": {"negatives_from": "wordllama"},
    "mined by MiniLM": {"negatives_from": "minilm"},
}
CONCATENATIONS: Ways = {", ".join(parts): {"loss": "softmax", "concatenation": parts} for parts in PUBLISHED}
POOLINGS: Ways = {
    f"{pooling}, {loss}": {"loss": loss, "pooling": pooling}
    for loss in ("softmax", "ranking")
    for pooling in ("mean", "max", "cls")
}
SCORES: Ways = {f"{pooling}, cosine": {"loss": "cosine", "pooling": pooling} for pooling in ("mean", "max", "cls")}
ABLATIONS = {"negatives": NEGATIVES, "concatenations": CONCATENATIONS, "poolings": POOLINGS, "scores": SCORES}


def nli() -> list[SentenceRows]:
    """Return the labelled pairs of SNLI and of MNLI."""
    return [read_sentences(data_folder() / name / "train.csv.xz") for name in ("snli", "mnli")]


def labelled_pairs() -> list[Row]:
    """Return all pairs of NLI with their labels."""
    rows = [row for each in nli() for row in zip(each.first, each.second, each.labels, strict=True)]
    return [dict(zip(("text_a", "text_b", "label"), row, strict=True)) for row in rows]


def positive_pairs(way: str) -> list[Row]:
    """Return the pairs of NLI that are alike, in one way with a contradiction as third text where there is one."""
    rows = [with_positives(each, None) for each in nli()]
    texts = [text for each in rows for text in zip(each.first, each.second, each.third, strict=True)]
    return [{"anchor": a, "positive": p, "negative": n if way == LABELLED else ""} for a, p, n in texts]


def scored_pairs() -> list[Row]:
    """Return the pairs of STS-B's training part with their scores."""
    read = read_sentences(data_folder() / "stsb" / "train.csv.xz")
    rows = zip(read.first, read.second, read.labels, strict=True)
    return [dict(zip(("text_a", "text_b", "score"), row, strict=True)) for row in rows]


def rows_for(way: str, loss: str) -> list[Row]:
    """Return the rows that a loss learns from; `way` decides on hard negatives of the ranking loss."""
    if loss == "ranking":
        return positive_pairs(way)
    return labelled_pairs() if loss == "softmax" else scored_pairs()


def drawn(rows: list[Row], most: int | None) -> list[Row]:
    """Return the first of shuffled rows, at most so many; the same for all ways and seeds."""
    order = seeds.child(0, "sentence_ablations", "rows").permutation(len(rows))
    return [rows[index] for index in order[:most]]


def cosines(folder: Path, test: SentenceRows) -> Floats:
    """Return the cosines of the pairs of a test by a trained folder, float64."""
    encoder = ww.load(folder)
    first, second = (encoder.encode(list(side), normalize=True) for side in (test.first, test.second))
    products: Floats = (first.astype(float) * second).sum(1)
    return products


def trained(rows: list[Row], settings: Mapping[str, Any], seed: int, test: SentenceRows) -> dict[str, Any]:
    """Train one model; return the cosines of the test pairs, and what the record says of mining.

    Args:
        rows: to learn from.
        settings: of `train_sentences`.
        seed: of the training.
        test: the pairs.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model"
        record = ww.train_sentences(rows, out, model="mini", dev=0, seed=seed, **settings)
        notes = [dict(finding.numbers) for finding in record.findings if finding.name == "method.hard_negatives"]
        return {"cosines": cosines(out, test).tolist(), "mining": notes[0] if notes else {}}


def cached(file: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a file holds, made and written where there is none."""
    if not file.exists():
        made = make()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(made), encoding="utf-8")
        print(file.stem, flush=True)
    read: dict[str, Any] = read_checked(file)
    return read


def main() -> None:
    """Train every way with every seed, and compare them on the test pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ablation", choices=ABLATIONS)
    parser.add_argument("--ways", type=int, default=None, help="the first ways alone, so many")
    parser.add_argument("--rows", type=int, help="the first rows alone of a shuffled order, so many")
    parser.add_argument("--epochs", type=float, help="passes over the rows; as `train_sentences` chooses by default")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    test = read_sentences(data_folder() / "stsb" / "test.csv")
    shared = {"epochs": options.epochs, "threads": options.threads}
    ways = dict(list(ABLATIONS[options.ablation].items())[: options.ways])
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    counts: dict[str, int] = {}
    for seed in range(options.seeds):
        for way, settings in ways.items():
            rows = drawn(rows_for(way, settings.get("loss", "ranking")), options.rows)
            counts[way] = len(rows)
            file = options.work / f"{options.ablation}, {way}, {options.rows}, {options.epochs}, {seed}.json"
            runs[way].append(cached(file, lambda: trained(rows, {**shared, **settings}, seed, test)))  # noqa: B023 - called at once
    compared(options, test, runs, counts)


def compared(
    options: argparse.Namespace, test: SentenceRows, runs: Mapping[str, list[dict[str, Any]]], counts: dict[str, int]
) -> None:
    """Write every way's scores, and its mean change from the first way.

    Args:
        options: of the call.
        test: the test pairs.
        runs: of each way, what `trained` returns, by seed.
        counts: number of rows that each way learned from.
    """
    rng = seeds.child(0, "sentence_ablations", options.ablation)
    paired = PairedChanges.of(metric("spearman", ()), test.scores, (), DRAWS, rng)
    answers = {way: [np.array(run["cosines"]) for run in of_way] for way, of_way in runs.items()}
    before = cosines_before(test)
    base, *others = answers
    ways = []
    for way, own in answers.items():
        values = np.array([paired.score(each) for each in own])
        draws = np.stack([paired.metric.score(paired.gold, each, paired.weights) for each in own])
        span = crossed_interval(values, draws, run_picks(len(values), DRAWS, rng), 0.95)
        row = {"way": way, "rows": counts[way], "score": values.mean(), **span.columns(), "scores": values.tolist()}
        if way != base:
            changes = [paired.change(each, first) for each, first in zip(own, answers[base], strict=True)]
            change = mean_change(changes, len(others), rng, paired.metric)
            ends = {f"change_{name}": value for name, value in change.interval.columns().items()}
            row |= {"change": change.value, **ends, "sure": bool(change.is_significant)}
        ways.append({**row, "mining": runs[way][0]["mining"]})
    facts = {"ablation": options.ablation, "epochs": options.epochs, "seeds": options.seeds, "test": len(test)}
    report({**facts, "before": paired.score(before), "ways": ways}, options.out)


def cosines_before(test: SentenceRows) -> Floats:
    """Return the cosines of the test pairs by the mean of the states of `mini`, before any training."""
    from wordworth.sources import resolve

    return cosines(resolve("mini").folder, test)


if __name__ == "__main__":
    run_script(main)
