"""Drawings of dependency trees in the plane, and the mean edge length of each relation, by a distance probe.

A drawing has the words of a sentence as the probe projects them, beside the exact and a random embedding of the tree.
Each of the three embeddings is reduced to two principal components and rotated towards the exact one (Coenen et al.
2019, section 3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from wordworth import seeds
from wordworth.measures.bootstrap import Resamples, interval, share_draws
from wordworth.measures.tree_embeddings import pythagorean, random_branches
from wordworth.measures.tree_recovery import spanning_edges
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.records import Table
from wordworth.studies.syntax.sampled_trees import SyntaxSample
from wordworth.studies.syntax.structural_probes import predictions
from wordworth.studies.syntax.treebank_word_vectors import Vectors
from wordworth.studies.syntax.word_pairs import Pairs, related_pairs
from wordworth.studies.treebank_sample import is_counted
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes.structural_probe import StructuralProbe

PROBE, EXACT, BRANCHES = "probe", "exact", "random branches"
EMBEDDINGS = (PROBE, EXACT, BRANCHES)
_SENTENCES, _WORDS, _FEWEST = 3, (7, 12), 20
TREES = {
    "sentence": "number of the sentence",
    "embedding": "words under the distance probe, the exact embedding of the tree, or one with random branches",
    "word": "number of the word in the sentence, from 1, punctuation left out",
    "form": "the word",
    "head": "number of its head; 0 for the root",
    "x": "first coordinate: principal components, turned as near to the exact embedding as they go",
    "y": "second coordinate",
    "kept": "share of the squared distances that the plane keeps",
}
TREE_EDGES = {
    "sentence": "number of the sentence",
    "first": "number of a word",
    "second": "number of another",
    "edge": "found by the probe, missed, or wrong: in the spanning tree of predicted distances, not in the treebank",
}
EDGE_LENGTHS = {
    "relation": "relation of a word to its head, without subtype",
    "words": "number of words with it, in the sentences that measure",
    "length": "mean predicted distance from the head; 1 is true",
    "low": "of its 95 % interval, over documents",
    "high": "of its 95 % interval",
}


def drawn_trees(
    sample: SyntaxSample, probe: StructuralProbe, vectors: Sequence[Vectors], seed: int
) -> dict[str, Table]:
    """Return the tables `trees` and `tree_edges`, which draw a few sentences' dependency trees in the plane.

    The sentences have 7 to 12 words and are chosen at random.

    Args:
        sample: the sentences with their trees.
        probe: a structural probe that predicts tree distances.
        vectors: for each sentence float32 [words, width], in the probe's layer.
        seed: seed of the choice of sentences, and of the random embedding.
    """
    rng = seeds.child(seed, "syntax", "drawn trees")
    fitting = [row for row in sample.split.test if _is_drawable(sample.sentences[row])]
    points, edges = list[dict[str, Any]](), list[dict[str, Any]]()
    for number, row in enumerate(rng.permutation(fitting)[:_SENTENCES].astype(np.int64), start=1):
        sentence, tree = sample.sentences[row], sample.trees[row]
        words = np.flatnonzero(tree.is_counted)
        heads = _inner_heads(sentence, words)
        projected = probe.project(torch.from_numpy(vectors[row][words])).detach().double().numpy()
        embedded = (projected, pythagorean(heads), random_branches(heads, len(probe.weight), rng))
        forms = [sentence.words[word] for word in words]
        points += [line | {"sentence": number} for line in _points(embedded, forms, heads)]
        distances = next(predictions(probe, "distance", [vectors[row]], [tree]))
        predicted = spanning_edges(distances[np.ix_(words, words)], np.ones(len(words), bool))
        edges += [line | {"sentence": number} for line in _edges(heads, predicted)]
    return {"trees": Table.of(points, TREES), "tree_edges": Table.of(edges, TREE_EDGES)}


def _is_drawable(sentence: DependencySentence) -> bool:
    """Return True for a sentence of a suitable length in which no word has a punctuation mark as its head."""
    counted = is_counted(sentence)
    inner = sentence.heads[counted]
    return _WORDS[0] <= counted.sum() <= _WORDS[1] and bool(counted[inner[inner != ROOT]].all())


def _inner_heads(sentence: DependencySentence, words: Integers) -> Integers:
    """Return the syntactic heads of some words as indices into these words, int64 [words]; `ROOT` for the root."""
    heads = sentence.heads[words]
    return np.where(heads == ROOT, ROOT, np.searchsorted(words, heads))


def _points(embedded: Sequence[Floats], forms: Sequence[str], heads: Integers) -> list[dict[str, Any]]:
    exact, _ = plane(embedded[1])
    rows = list[dict[str, Any]]()
    for name, vectors in zip(EMBEDDINGS, embedded, strict=True):
        flat, share = plane(vectors)
        turned = flat @ _turn(flat, exact)
        for word, (form, (x, y)) in enumerate(zip(forms, turned, strict=True)):
            row = {"embedding": name, "word": word + 1, "form": form, "head": int(heads[word]) + 1}
            rows.append(row | {"x": round(float(x), 4), "y": round(float(y), 4), "kept": round(share, 4)})
    return rows


def plane(vectors: Floats) -> tuple[Floats, float]:
    """Return vectors reduced to two principal components, float64 [n, 2], and the share of variance kept, 0 to 1."""
    centred = vectors - vectors.mean(0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    flat = np.zeros((len(vectors), 2))
    flat[:, : len(values[:2])] = left[:, :2] * values[:2]
    total = float(np.square(values).sum())
    return flat, float(np.square(values[:2]).sum()) / total if total else 1.0


def _turn(flat: Floats, like: Floats) -> Floats:
    """Return the rotation or reflection [2, 2] that brings points nearest to other points (Schönemann 1966).

    Args:
        flat: float64 [n, 2], the points to rotate, as `flat @ result`.
        like: float64 [n, 2], the points to approach, in the same order.
    """
    left, _, right = np.linalg.svd(flat.T @ like)
    return floats(left @ right)


def _edges(heads: Integers, predicted: set[tuple[int, int]]) -> list[dict[str, Any]]:
    true = {(min(word, head), max(word, head)) for word, head in enumerate(heads.tolist()) if head != ROOT}
    kinds = {edge: "found" if edge in predicted else "missed" for edge in true}
    kinds |= dict.fromkeys(predicted - true, "wrong")
    return [{"first": first + 1, "second": second + 1, "edge": kind} for (first, second), kind in sorted(kinds.items())]


def edge_lengths(
    sample: SyntaxSample, probe: StructuralProbe, vectors: Sequence[Vectors], resamples: Resamples
) -> Table:
    """Return the table `edge_lengths`: by relation, the mean predicted tree distance of a word and its head.

    Args:
        sample: the sentences with their trees.
        probe: a structural probe that predicts tree distances.
        vectors: for each sentence float32 [words, width], in the probe's layer.
        resamples: the bootstrap resamples: their number, and the seed.
    """
    names = sample.relation_names
    pairs = related_pairs(sample.sentences, names).within(sample.split.test)
    lengths, table = _lengths(sample, probe, vectors, pairs), list[dict[str, Any]]()
    for number, name in enumerate(names):
        own = np.flatnonzero(pairs.relations == number)
        if len(own) < _FEWEST:
            continue
        rng = seeds.child(resamples.seed, "syntax", "edge lengths", name)
        documents = sample.documents[pairs.sentences[own]]
        draws = share_draws(lengths[own][:, None], np.ones(len(own)), documents, resamples.draws, rng)[:, 0]
        row = {"relation": name, "words": len(own), "length": float(lengths[own].mean())}
        table.append(row | interval(draws).columns())
    return Table.of(sorted(table, key=lambda row: row["length"]), EDGE_LENGTHS)


def _lengths(sample: SyntaxSample, probe: StructuralProbe, vectors: Sequence[Vectors], pairs: Pairs) -> Floats:
    """Return the predicted distance of each pair, float64 [pairs]."""
    lengths = np.zeros(len(pairs))
    for row in np.unique(pairs.sentences):
        own = np.flatnonzero(pairs.sentences == row)
        (distances,) = predictions(probe, "distance", [vectors[row]], [sample.trees[row]])
        lengths[own] = distances[pairs.first[own], pairs.second[own]]
    return lengths
