"""The tables of a `syntax` record: probes, classifiers of pairs and parsers, each with its differences to controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordworth.records import Table
from wordworth.studies.syntax.attention_probe import ANY, OWN, WHICH, PairScore
from wordworth.studies.syntax.parser import COMPARED, ScoredParser
from wordworth.studies.syntax.parser import MEASURES as ATTACHMENT
from wordworth.studies.syntax.structural_probe_scores import MEASURES, Estimate, ProbeGap, ScoredProbe
from wordworth.studies.syntax.structural_probes import CHAIN, MODEL, RANDOM, Kind, ProbeResult

BEST = "best layer"
PUBLISHED: dict[tuple[Kind, str], tuple[float, float]] = {
    ("distance", BEST): (0.798, 0.85),
    ("distance", CHAIN): (0.489, 0.58),
    ("distance", RANDOM): (0.598, 0.73),
    ("depth", BEST): (0.88, 0.87),
    ("depth", CHAIN): (0.029, 0.27),
    ("depth", RANDOM): (0.644, 0.75),
}
"""(UUAS, DSpr) and (root %, NSpr) in table 1 of Hewitt and Manning: BERT-base's layer 7, the chain, and for random
weights a random BiLSTM over ELMo's characters; on the Wall Street Journal, Stanford's labels."""
PUBLISHED_PAIRS = {ANY: 0.858, WHICH: 0.719}
"""Accuracies that Coenen et al. (2019, section 3.1) report for BERT-base on the Penn Treebank."""
PROBES = {
    "probe": "distance or depth",
    "source": "what was probed: the model, or a control",
    "layer": "of the vectors, 0 the input layer; missing for the linear chain",
    "rank": "of the probe; 0 for the linear chain",
    "chosen": "whether this layer has the lowest held-out loss of its source",
    "share": "edges found, of all but those with punctuation (UUAS); of depths, sentences whose root is found",
    "share_low": "of its 95 % interval, over documents",
    "share_high": "of its 95 % interval",
    "correlation": "Spearman's of true and predicted distances (DSpr) or depths (NSpr), sentences of 5 to 50 words",
    "correlation_low": "of its 95 % interval",
    "correlation_high": "of its 95 % interval",
    "loss": "lowest held-out loss, in edges; missing for the linear chain",
    "passes": "passes over the training sentences after which it was lowest",
    "published_share": "reported for BERT-base on other text and other trees; missing where none is reported",
    "published_correlation": "likewise",
}
DIFFERENCES = {
    "probe": "distance or depth",
    "measure": "share or correlation, as in the table of probes",
    "other": "what the probe of the best layer is compared with",
    "gap": "the best layer's value less the other's",
    "low": "of its 95 % interval, on the same draws of documents",
    "high": "of its 95 % interval",
    "ahead": "whether the interval, widened for the number of differences, is above 0",
    "published": "difference of the reported values; missing where one is not reported",
}


def probe_table(probes: Sequence[ScoredProbe], chosen: Sequence[ProbeResult]) -> Table:
    """Return the table `probes`, with a row for each structural probe.

    Args:
        probes: all probes with their scores.
        chosen: the probes of the best layers, which are marked.
    """
    return Table.of([_probe(each, is_chosen=each.result in chosen) for each in probes], PROBES)


def _probe(of: ScoredProbe, *, is_chosen: bool) -> dict[str, Any]:
    result = of.result
    row = dict.fromkeys(PROBES) | {"probe": result.kind, "source": result.source, "layer": result.layer}
    row |= {"rank": result.rank, "chosen": is_chosen}
    for measure in MEASURES:
        estimate = of.measures[measure]
        row |= {measure: estimate.value, **estimate.ends.columns(f"{measure}_")}
    if result.run is not None:
        row |= {"loss": result.loss, "passes": result.run.best_pass}
    name = result.source if result.source == CHAIN else RANDOM if result.source == RANDOM else BEST
    if (is_chosen or name == CHAIN) and (published := PUBLISHED.get((result.kind, name))):
        row |= {f"published_{measure}": value for measure, value in zip(MEASURES, published, strict=True)}
    return row


def difference_table(gaps: Sequence[ProbeGap]) -> Table:
    """Return the table `differences`: the score of the best layer's structural probe minus each control's score."""
    return Table.of([_difference(each) for each in gaps], DIFFERENCES)


def _difference(of: ProbeGap) -> dict[str, Any]:
    row = {"probe": of.kind, "measure": of.measure, "other": of.other, "gap": of.gap.value, **of.gap.ends.columns()}
    best, other = PUBLISHED[of.kind, BEST], PUBLISHED.get((of.kind, of.other))
    column = MEASURES.index(of.measure)
    return row | {"ahead": of.is_ahead, "published": None if other is None else round(best[column] - other[column], 6)}


PAIRS = {
    "task": "what is asked of two words",
    "source": "what a linear classifier reads, or the class that is most frequent in training",
    "pairs": "number of pairs, in the sentences that measure",
    "classes": "number of classes",
    "accuracy": "share of pairs that it classifies right",
    "low": "of its 95 % interval, over documents",
    "high": "of its 95 % interval",
    "published": "share that Coenen et al. (2019) report for BERT-base, distances not matched; missing where none is",
}
PAIR_DIFFERENCES = {
    "task": "what is asked of two words",
    "other": "what the attention of the model is compared with",
    "gap": "its accuracy less the other's",
    "low": "of its 95 % interval, on the same draws of documents",
    "high": "of its 95 % interval",
    "ahead": "whether the interval, widened for the number of differences, is above 0",
}


def pair_tables(scores: Sequence[PairScore]) -> dict[str, Table]:
    """Return two tables on classifiers of word pairs: `pairs` and `pair_differences`.

    The first table has their scores, the second the attention probe's score minus each control's score.
    """
    by_name = {(score.task, score.source): score for score in scores}
    compared = [(by_name[score.task, OWN], score) for score in scores if score.source != OWN]
    differences = [_pair_difference(own, other, len(compared)) for own, other in compared]
    return {
        "pairs": Table.of([_pair(score) for score in scores], PAIRS),
        "pair_differences": Table.of(differences, PAIR_DIFFERENCES),
    }


def _pair(score: PairScore) -> dict[str, Any]:
    row = {"task": score.task, "source": score.source, "pairs": score.pairs, "classes": score.classes}
    row |= {"accuracy": score.accuracy.value, **score.accuracy.ends.columns()}
    return row | {"published": PUBLISHED_PAIRS.get(score.task) if score.source == OWN else None}


def _pair_difference(own: PairScore, other: PairScore, comparisons: int) -> dict[str, Any]:
    gap = own.accuracy.less(other.accuracy)
    row = {"task": own.task, "other": other.source, "gap": gap.value, **gap.ends.columns()}
    return row | {"ahead": gap.is_positive(comparisons)}


PARSERS = {
    "source": "what the parser reads: all layers of the model, or a control; right-branching reads nothing",
    "words": "number of words, in the sentences that measure; punctuation is counted",
    "uas": "share of words whose head is right",
    "uas_low": "of its 95 % interval, over documents",
    "uas_high": "of its 95 % interval",
    "las": "share of words whose head and relation (without its subtype) are right",
    "las_low": "of its 95 % interval",
    "las_high": "of its 95 % interval",
    "layer": "mean layer of the parser's mix; missing where it reads one or none",
    "loss": "lowest held-out loss, in nats a word; missing for right-branching",
    "passes": "passes over the training sentences after which it was lowest",
}
PARSER_DIFFERENCES = {
    "measure": "uas or las, as in the table of parsers",
    "other": "what the parser on all layers of the model is compared with",
    "gap": "its score less the other's",
    "low": "of its 95 % interval, on the same draws of documents",
    "high": "of its 95 % interval",
    "ahead": "whether the interval, widened for the number of differences, is above 0",
}


def parser_tables(scored: Sequence[ScoredParser]) -> dict[str, Table]:
    """Return two tables on parsers: `parsers` and `parser_differences`.

    The first table has the scores of the model's parser and its controls, the second the score of the model's parser
    minus each control's score.
    """
    by_source = {each.attachment.source: each.scores for each in scored}
    differences = [
        _parser_difference(measure, other, by_source[MODEL][measure].less(by_source[other][measure]))
        for measure in ATTACHMENT
        for other in COMPARED
    ]
    return {
        "parsers": Table.of([_parser(each) for each in scored], PARSERS),
        "parser_differences": Table.of(differences, PARSER_DIFFERENCES),
    }


def _parser(of: ScoredParser) -> dict[str, Any]:
    attachment = of.attachment
    row = dict.fromkeys(PARSERS) | {"source": attachment.source, "words": len(attachment.sentence)}
    for measure, estimate in of.scores.items():
        row |= {measure: estimate.value, **estimate.ends.columns(f"{measure}_")}
    row["layer"], run = attachment.mean_layer, attachment.run
    return row | ({"loss": min(run.losses), "passes": run.best_pass} if run else {})


def _parser_difference(measure: str, other: str, gap: Estimate) -> dict[str, Any]:
    row = {"measure": measure, "other": other, "gap": gap.value, **gap.ends.columns()}
    return row | {"ahead": gap.is_positive(len(ATTACHMENT) * len(COMPARED))}
