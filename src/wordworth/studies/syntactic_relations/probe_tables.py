"""The tables of a `relations` record on the dependency probes."""

from __future__ import annotations

from typing import Any

from wordworth.records import Table
from wordworth.studies.syntactic_relations.probe_scores import BEST_HEAD, RIGHT_BRANCHING, Difference, ProbeScores
from wordworth.studies.syntactic_relations.probe_training import (
    ATTENTION,
    ATTENTION_AND_WORDS,
    RANDOM,
    WORDS_AND_DISTANCES,
)

PUBLISHED = {
    ATTENTION_AND_WORDS: 0.77,
    ATTENTION: 0.61,
    WORDS_AND_DISTANCES: 0.58,
    BEST_HEAD: 0.345,
    RANDOM.format(ATTENTION_AND_WORDS): 0.3,
    RIGHT_BRANCHING: 0.263,
}
"""Shares that Clark et al. (2019, section 5) report for BERT-base on the Wall Street Journal, Stanford's labels."""
PROBES = {
    "system": "a probe, or a baseline that learns nothing but which head or offset to take",
    "words": "number of words measured: all but punctuation, in the half that trained no probe",
    "uas": "share of words whose syntactic head it finds, the root among the candidates",
    "low": "of its 95 % interval, over documents",
    "high": "of its 95 % interval",
    "published": "share reported for BERT-base on other text and other trees; missing where none is reported",
    "again": "share with another seed of the training less the first; missing where a probe was trained once",
    "again_low": "of its 95 % interval, on the same draws",
    "again_high": "of its 95 % interval",
    "parameters": "number of weights of the probe",
    "rate": "learning rate with the lowest held-out loss",
    "passes": "passes over the training sentences after which the held-out loss was lowest",
    "held_out_loss": "that loss, in nats per word",
}
DIFFERENCES = {
    "first": "a system of the table probes",
    "second": "another",
    "difference": "share of the first less that of the second",
    "low": "of its 95 % interval, on the same draws of documents",
    "high": "of its 95 % interval",
    "ahead": "whether the interval, widened for the number of differences, is above 0",
    "published": "difference of the reported shares; missing where one is not reported",
}


def probe_tables(scores: ProbeScores) -> dict[str, Table]:
    """Return two tables on the dependency probes: `probes` and `probe_differences`.

    The first table has the scores of all systems (probes and baselines), the best first. The second has the score of
    one system minus the score of another, for each pair of systems that is tested.
    """
    names = sorted(scores.scores, key=lambda name: -scores.scores[name][0])
    return {
        "probes": Table.of([_system(scores, name) for name in names], PROBES),
        "probe_differences": Table.of([_difference(each) for each in scores.differences], DIFFERENCES),
    }


def _system(scores: ProbeScores, name: str) -> dict[str, Any]:
    share, ends = scores.scores[name]
    row = dict.fromkeys(PROBES) | {"system": name, "words": scores.words, "uas": share, **ends.columns()}
    row |= {"published": PUBLISHED.get(name)}
    if name in scores.again:
        value, of_again = scores.again[name]
        row |= {"again": value, **of_again.columns("again_")}
    if probe := scores.probes.get(name):
        row |= {"parameters": probe.parameters, "rate": probe.rate, "passes": probe.run.best_pass}
        row |= {"held_out_loss": min(probe.run.losses)}
    return row


def _difference(of: Difference) -> dict[str, Any]:
    row = {"first": of.first, "second": of.second, "difference": of.value, **of.ends.columns(), "ahead": of.is_ahead}
    first, second = PUBLISHED.get(of.first), PUBLISHED.get(of.second)
    return row | {"published": None if first is None or second is None else round(first - second, 6)}
