"""A cross-encoder, which reads two texts together, beside the cosines of the encoder that it was made of.

    python benchmarks/cross_encoder.py --work /tmp/cross_encoder --out docs/records/cross_encoder.json

MiniLM is fine-tuned to give a value for a pair on rows of STS-B's training part (a tenth chooses the step), once for
each seed. Scores are Spearman's correlations on STS-B dev and test, beside the cosines of the frozen encoder's vectors,
with 95 % intervals of the paired difference over seeds and pairs.

Then the 20 texts that the vectors find nearest to a query are ranked anew by the first seed's cross-encoder. Queries
are first texts of pairs of the test with a score of 4 or more; the texts are all second texts; those that such a pair
has are relevant. The score is the mean of 1 / rank of the first relevant text.

Last, both read the same pairs of the test in turns, in processor seconds of one thread, in the number type that each
takes by itself. Models are kept in `--work`, from which a stopped call goes on. Needs the data sets ($WORDWORTH_DATA).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import wordworth as ww
from measure import Spread, data_folder, in_turns, report
from sentence_ablations import DRAWS, drawn, scored_pairs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.inference.finetuned_network import Network
from wordworth.inference.rerank import cross_encoder, relevance
from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.models.load import Loaded
from wordworth.studies.distill.comparison import mean_change
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences

PARTS = {"dev": "dev.csv.xz", "test": "test.csv"}
NEAREST = 20
ALIKE = 4.0


def finetuned(seed: int, options: argparse.Namespace) -> Network:
    """Return the cross-encoder of a seed, fine-tuned where `--work` has none."""
    folder = options.work / f"{options.rows} rows, {options.epochs} epochs, seed {seed}"
    ww.finetune(
        data=drawn(scored_pairs(), options.rows),
        test=data_folder() / "stsb" / PARTS["test"],
        model="minilm",
        epochs=options.epochs,
        restarts=1,
        processes=1,
        seed=seed,
        out=folder,
    )
    return cross_encoder(ww.load_run(folder).predictor, None)[0]


def values(network: Network, pairs: SentenceRows) -> Floats:
    """Return the values of the cross-encoder for pairs, float64 [pairs]."""
    return relevance(network, None, list(zip(pairs.first, pairs.second, strict=True)))


def cosines(encoder: Loaded, pairs: SentenceRows) -> Floats:
    """Return the cosines of the frozen encoder for pairs, float64 [pairs]."""
    first, second = (encoder.encode(list(side), normalize=True) for side in (pairs.first, pairs.second))
    products: Floats = (first.astype(float) * second).sum(1)
    return products


def compared(part: str, answers: list[Floats], frozen: Floats, gold: Floats) -> dict[str, Any]:
    """Return the scores of the cross-encoders and of the cosines on a part, and the paired difference.

    Args:
        part: name of the part.
        answers: of each seed, the values of the pairs.
        frozen: the cosines.
        gold: the gold scores.
    """
    rng = seeds.child(0, "cross_encoder", part)
    paired = PairedChanges.of(metric("spearman", ()), gold, (), DRAWS, rng)
    change = mean_change([paired.change(each, frozen) for each in answers], 1, rng, paired.metric)
    scores = [paired.score(each) for each in answers]
    both = {"cosines": paired.score(frozen), "cross_encoder": float(np.mean(scores)), "scores": scores}
    return {"part": part, "pairs": len(gold), **both, "change": change.value, **change.interval.columns("change_")}


def reranked(network: Network, encoder: Loaded, test: SentenceRows, most: int) -> dict[str, Any]:
    """Return the mean of 1 / rank of the first relevant text, by the vectors and by the cross-encoder over the nearest.

    Args:
        network: the cross-encoder.
        encoder: the frozen encoder, which finds the nearest texts.
        test: the pairs.
        most: number of queries.
    """
    relevant: dict[str, set[str]] = {}
    for first, second, score in zip(test.first, test.second, test.scores, strict=True):
        if score >= ALIKE:
            relevant.setdefault(first, set()).add(second)
    queries, texts = list(relevant)[:most], list(dict.fromkeys(test.second))
    products = encoder.encode(queries, normalize=True) @ encoder.encode(texts, normalize=True).T
    ranks: dict[str, list[float]] = {"vectors": [], "cross_encoder": []}
    for query, row in zip(queries, products, strict=True):
        nearest = [texts[index] for index in np.argsort(-row, kind="stable")[:NEAREST]]
        again = np.argsort(-relevance(network, None, [(query, text) for text in nearest]), kind="stable")
        for way, order in (("vectors", nearest), ("cross_encoder", [nearest[index] for index in again])):
            right = [rank for rank, text in enumerate(order, 1) if text in relevant[query]]
            ranks[way].append(1 / right[0] if right else 0.0)
    means = {way: float(np.mean(each)) for way, each in ranks.items()}
    differences = np.subtract(ranks["cross_encoder"], ranks["vectors"])
    draws = mean_draws(differences[:, None], DRAWS, seeds.child(0, "cross_encoder", "reranked"))
    span = interval(draws[:, 0])
    facts = {"queries": len(queries), "texts": len(texts), "nearest": NEAREST}
    return {**facts, **means, "change": float(differences.mean()), **span.columns("change_")}


def seconds(network: Network, pairs: SentenceRows, most: int, rounds: int) -> dict[str, Any]:
    """Return the processor seconds of 1,000 pairs by each way, over rounds in turns.

    Args:
        network: the cross-encoder.
        pairs: the pairs of texts, of which the first are read.
        most: number of pairs that are read.
        rounds: number of rounds.
    """
    encoder = ww.load("minilm", dtype="auto")
    read = list(zip(pairs.first[:most], pairs.second[:most], strict=True))
    texts = [text for pair in read for text in pair]
    vectors = encoder.encode(texts, normalize=True)
    ways: dict[str, Callable[[], Any]] = {
        "cosines": lambda: encoder.encode(texts, normalize=True),
        "vectors that are there": lambda: (vectors[::2] * vectors[1::2]).sum(1),
        "cross-encoder": lambda: relevance(network, None, read),
    }
    for work in ways.values():
        work()
    taken = in_turns(ways, rounds, clock=time.process_time)
    spreads = {way: Spread.of([1_000 * each / len(read) for each in spent]) for way, spent in taken.items()}
    ratios = [cross / cosine for cross, cosine in zip(taken["cross-encoder"], taken["cosines"], strict=True)]
    return {"pairs": len(read), "seconds_of_1000_pairs": spreads, "times_slower": Spread.of(ratios)}


def main() -> None:
    """Fine-tune with every seed, compare with cosines, rank the nearest anew, and time both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--queries", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=300, help="that are timed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    networks = [finetuned(seed, options) for seed in range(options.seeds)]
    read = {part: read_sentences(data_folder() / "stsb" / name) for part, name in PARTS.items()}
    encoder = ww.load("minilm")
    scored = [
        compared(part, [values(each, rows) for each in networks], cosines(encoder, rows), rows.scores)
        for part, rows in read.items()
    ]
    facts = {"rows": options.rows, "epochs": options.epochs, "seeds": options.seeds}
    again = reranked(networks[0], encoder, read["test"], options.queries)
    timed = seconds(networks[0], read["test"], options.pairs, options.rounds)
    report({**facts, "parts": scored, "reranked": again, "speed": timed}, options.out)


if __name__ == "__main__":
    run_script(main)
