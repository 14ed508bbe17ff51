"""The findings on a map: whether there are clusters, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wordworth.measures.normalised_mutual_information import PERMUTATIONS
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, decimal, percent, quoted
from wordworth.studies.corpus_map.cluster_count import CLOUDS, SAMPLE, SPLITS, Agreement
from wordworth.studies.corpus_map.column_spread import ColumnSpread
from wordworth.studies.corpus_map.projection import COMPONENTS, PERPLEXITY
from wordworth.studies.corpus_map.settings import MapSettings
from wordworth.studies.corpus_map.tables import CorpusMap

LEVEL = 0.05
"""Largest share of clouds, the texts among them, at which the texts have clusters."""
LOOSE, POOR = 0.6, 0.3
"""Agreement, and share of neighbours kept by the map, below which there is a warning."""
_SMALL = 10


def has_clusters(p: float) -> bool:
    """Return True if texts have clusters by a test against clouds: sets of normal draws, which have no clusters.

    Args:
        p: the p-value of the hypothesis that there are no clusters (`ClusterCount.p`).
    """
    return p <= LEVEL


def findings(corpus: CorpusMap, settings: MapSettings) -> list[Finding]:
    """Return the findings of a map of a corpus: the verdict, the warnings and the method.

    With a column of values there is a finding too on how its values are distributed over the clusters.
    """
    shared = [] if corpus.column is None else [_column(corpus.column)]
    return [_verdict(corpus, settings), *shared, *_warnings(corpus), *_method(corpus, settings)]


def _chosen(corpus: CorpusMap) -> Agreement:
    return next(each for each in corpus.count.agreements if each.clusters == corpus.count.chosen)


def _verdict(corpus: CorpusMap, settings: MapSettings) -> Finding:
    chosen, texts = _chosen(corpus), len(corpus.assignment.rows)
    number, p = len(corpus.assignment.centroids), corpus.count.p
    agree = (
        f"Two halves of the texts, clustered apart, agree at {decimal(chosen.mean, 2)} ({decimal(chosen.low, 2)} to "
        f"{decimal(chosen.high, 2)} in {SPLITS} splits; 1 is full agreement). Halves of a single cloud of the same "
        f"mean and covariance agree at {decimal(chosen.cloud, 2)} (at most {decimal(chosen.cloud_high, 2)} in "
        f"{CLOUDS} clouds)."
    )
    last = _last_sentence(corpus, settings)
    headline = f"{count_of(number, 'cluster')} in {count_of(texts, 'text')}." if has_clusters(p) else "No clusters."
    numbers = {
        "headline": headline,
        "clusters": number,
        "texts": texts,
        "agreement": chosen.mean,
        "agreement_low": chosen.low,
        "agreement_high": chosen.high,
        "cloud": chosen.cloud,
        "p": p,
        "kept_neighbours": round(corpus.map.kept_share, 4),
        "chance_neighbours": round(corpus.map.neighbours / max(1, len(corpus.map.positions) - 1), 4),
        "neighbours": corpus.map.neighbours,
    }
    return Finding("verdict", f"{agree}\n{last}", numbers)


def _last_sentence(corpus: CorpusMap, settings: MapSettings) -> str:
    number, tried = corpus.count.chosen, corpus.count.agreements
    if not has_clusters(corpus.count.p):
        return (
            f"That is no more than clouds without clusters show ({percent(corpus.count.p)} of them show as much): the "
            f"{count_of(len(corpus.assignment.centroids), 'group')} below are cuts through one cloud."
        )
    if settings.clusters is not None:
        return f"The number {number} was given; whether another fits better was not asked."
    return (
        f"Of the numbers from {tried[0].clusters} to {tried[-1].clusters} that were tried, {number} is the one at "
        "which the texts agree most beyond a single cloud. There may well be clusters inside these, which a larger "
        "number shows."
    )


def _column(column: ColumnSpread) -> Finding:
    info, name = column.information, quoted(column.column)
    numbers = {
        "column": column.column,
        "values": len(column.values),
        "information": round(info.value, 4),
        "chance": round(info.chance_mean, 4),
        "chance_high": round(info.highest, 4),
        "p": info.p,
    }
    if len(column.values) == 1:
        return Finding("column", f"All texts have the same value of {name}.", numbers)
    judged = "more than chance gives" if info.p <= LEVEL else "no more than chance gives"
    text = (
        f"Clusters and {name} share {decimal(info.value, 3)} of their information (normalised mutual information: 0 "
        f"where they are independent, 1 where each determines the other): {judged}, which is "
        f"{decimal(info.chance_mean, 3)} on average and at most {decimal(info.highest, 3)} in {PERMUTATIONS} "
        "permutations."
    )
    return Finding("column", text, numbers)


def _warnings(corpus: CorpusMap) -> Iterator[Finding]:
    chosen, sizes = _chosen(corpus), corpus.assignment.sizes
    if has_clusters(corpus.count.p) and chosen.mean < LOOSE:
        text = (
            f"The borders of the clusters are loose: halves agree at {decimal(chosen.mean, 2)} only, so that k-means "
            "of other texts of the same kind would put many of these texts into other clusters."
        )
        yield Finding("warning.loose", text, {"agreement": chosen.mean})
    if corpus.map.kept_share < POOR:
        text = (
            f"The map keeps {percent(corpus.map.kept_share)} of each text's {corpus.map.neighbours} nearest texts near "
            "it: trust the clusters, which were learned from the whole vectors, more than the picture."
        )
        yield Finding("warning.poor_map", text, {"kept": corpus.map.kept_share})
    if few := int((sizes < _SMALL).sum()):
        text = f"{count_of(few, 'cluster has', 'clusters have')} fewer than {_SMALL} texts, which may be chance."
        yield Finding("warning.small", text, {"clusters": few})
    if zero := int(np.count_nonzero(corpus.assignment.cosines == 0)):
        text = (
            f"{count_of(zero, 'text has', 'texts have')} a vector of zeros, as the model knows no word of them; they "
            "lie in whichever cluster is nearest to zero."
        )
        yield Finding("warning.zero", text, {"texts": zero})


def _method(corpus: CorpusMap, settings: MapSettings) -> Iterator[Finding]:
    texts = len(corpus.assignment.rows)
    passing = "" if settings.where is None else f" that pass {settings.where}"
    yield Finding(
        "method.clusters",
        f"Vectors of {corpus.index.manifest.model}, scaled to length 1, were clustered by k-means (Lloyd's algorithm) "
        f"on {count_of(corpus.fitted, 'text')}{passing}; then each of {count_of(texts, 'text')} went to its nearest "
        "centroid. Every text gets a cluster, also one between clusters.",
    )
    yield Finding(
        "method.number",
        f"On {count_of(min(SAMPLE, texts), 'text')}, the clusters of two random halves were compared by the adjusted "
        "Rand index (Lange and others 2004), and so were those of normal draws with the mean and covariance of the "
        f"texts, scaled to length 1 (after Liu and others 2008). Of {CLOUDS} such clouds and the texts, a share of "
        f"{decimal(corpus.count.p, 2)} exceeds the other clouds by as much as the texts do at any number that was "
        f"tried; there are clusters if it is at most {decimal(LEVEL, 2)}. Texts that are one cloud, but not a normal "
        "one, may exceed it too: it does not prove gaps between clusters.",
    )
    yield Finding(
        "method.words",
        f"Words of {count_of(corpus.fitted, 'text')} are ranked by class-based TF-IDF (Grootendorst 2022, equation 1). "
        "There is no list of stop words: a word names a cluster if the share of texts with it is at least three times "
        "that in the other clusters.",
    )
    yield Finding(
        "method.map",
        f"The {count_of(len(corpus.map.positions), 'text')} on the map were reduced to {COMPONENTS} principal "
        f"components and placed by t-SNE with perplexity {PERPLEXITY:g} (van der Maaten and Hinton 2008). It keeps "
        "near texts near: distances between far places, sizes and gaps of groups on the map mean nothing.",
    )
