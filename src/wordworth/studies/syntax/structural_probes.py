"""Structural probes of a model (Hewitt and Manning 2019), for every layer and several ranks, with their controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.measures.tree_recovery import (
    Tree,
    depth_spearman,
    distance_spearman,
    is_root_found,
    right_edges,
)
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.progress import Step
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.sampled_trees import SyntaxSample, control_trees
from wordworth.studies.syntax.treebank_word_vectors import Vectors, WordVectors, shuffled
from wordworth.training.loop import Loss
from wordworth.training.probes.structural_probe import StructuralProbe, WordBatch
from wordworth.training.probes.train_probe import ProbeRun, ProbeTraining, train_probe

Kind = Literal["distance", "depth"]
KINDS: tuple[Kind, ...] = ("distance", "depth")
MODEL, RANDOM, SHUFFLED, CONTROL = "model", "random weights", "shuffled vectors", "control trees"
CHAIN, UNSQUARED, AGAIN = "linear chain", "lengths not squared", "another seed"
TRAINING = ProbeTraining(rate=1e-3, batch_size=20, passes=40, patience=3, decay=0.1)
_AT_ONCE = 32
"""Number of sentences that are measured at a time."""


@dataclass(frozen=True, slots=True)
class SentenceScores:
    """The scores of a structural probe on each test sentence.

    A probe predicts the distances of word pairs in the tree, or the depths of words.

    Attributes:
        right: int64 [sentences], for distances the number of true edges in the predicted spanning tree; for depths 1 if
            the predicted root is correct, else 0.
        total: int64 [sentences], the largest possible `right`: for distances the number of true edges, for depths 1.
        correlation: float64 [sentences], Spearman's correlation of true and predicted distances or depths.
    """

    right: Integers
    total: Integers
    correlation: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ProbeResult:
    """The result of a structural probe, or of the linear chain, a baseline without a probe.

    Two results are equal only if they are the same object.

    Attributes:
        source: name of the vectors or of the control: `MODEL`, `RANDOM`, `SHUFFLED`, `CONTROL`, `CHAIN`, `UNSQUARED` or
            `AGAIN`.
        kind: what the probe predicts: the `distance` of two words in the tree, or the `depth` of a word.
        layer: layer of the vectors; None for the linear chain.
        rank: rank of the probe; 0 for the linear chain.
        run: the training of the probe; None for the linear chain.
        scores: scores on the test sentences, sentence by sentence.
    """

    source: str
    kind: Kind
    layer: int | None
    rank: int
    run: ProbeRun | None
    scores: SentenceScores

    @property
    def loss(self) -> float:
        """The probe's lowest loss, in tree edges, on the held-out sentences; NaN for the linear chain.

        These sentences decide when training stops.
        """
        return min(self.run.losses) if self.run else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class TrainedProbe(ProbeResult):
    """The result of a structural probe, together with the probe itself."""

    layer: int
    run: ProbeRun
    probe: StructuralProbe


@dataclass(frozen=True, slots=True)
class StructuralProbeTrainer:
    """A trainer of structural probes on the sentences of a study, which also measures them.

    Attributes:
        sample: the sentences with their trees.
        seed: seed of the initial weights and of the order of sentences.
        step: progress step, advanced after each sentence of each pass.
        finished: cache with the probes that an earlier call trained.
    """

    sample: SyntaxSample
    seed: int
    step: Step
    finished: FinishedParts

    def result(
        self,
        source: str,
        kind: Kind,
        layer: int,
        rank: int,
        vectors: Sequence[Vectors],
        trees: Sequence[Tree] | None = None,
    ) -> TrainedProbe:
        """Train a structural probe on one layer's vectors and measure it; a probe in the cache is not trained again.

        Args:
            source: name of the vectors or of the control; `AGAIN` trains with another seed, `UNSQUARED` trains a probe
                whose predicted distances are lengths, not squared lengths.
            kind: what the probe predicts: `distance` or `depth`.
            layer: number of the layer; 0 is the input layer.
            rank: rank of the probe.
            vectors: vectors of each sentence, float32 [words, width].
            trees: trees of each sentence; None for the trees of the treebank.
        """
        trees = self.sample.trees if trees is None else trees
        probe = StructuralProbe(vectors[0].shape[1], rank, squared=source != UNSQUARED)
        seed = seeds.child_seed(self.seed, "syntax", kind, source == AGAIN)
        probe.initialise(torch.Generator().manual_seed(seed))

        def loss(rows: Integers, _: torch.Generator | None) -> Loss:
            batch = WordBatch.of([vectors[row] for row in rows], [trees[row] for row in rows])
            return probe.distance_loss(batch) if kind == "distance" else probe.depth_loss(batch)

        split = self.sample.split

        def trained() -> dict[str, ArrayLike]:
            run = train_probe(probe, loss, split.train, split.held_out, TRAINING, seed=seed, step=self.step)
            measured = measured_scores(probe, kind, split.test, vectors, trees)
            return {"weight": probe.weight.detach().numpy(), **asdict(run), **asdict(measured)}

        name = ("structural probe", TRAINING, source, kind, layer, rank)
        part = self.finished.arrays(name, trained, self.step, TRAINING.passes * len(split.train))
        with torch.no_grad():
            probe.weight.copy_(torch.from_numpy(part["weight"]))
        run = ProbeRun(tuple(part["losses"].tolist()), int(part["best_pass"]))
        measured = SentenceScores(part["right"], part["total"], part["correlation"])
        return TrainedProbe(source, kind, layer, rank, run, measured, probe)

    def layers(self, source: str, kind: Kind, rank: int, vectors: WordVectors) -> list[TrainedProbe]:
        """Train a structural probe on each layer of a model, and measure it.

        Args:
            source: name of the model: `MODEL` or `RANDOM`.
            kind: what the probes predict: `distance` or `depth`.
            rank: rank of the probes.
            vectors: vectors of the model.
        """
        training = self.sample.split.train
        return [
            self.result(source, kind, layer, rank, vectors.layer(layer, training)) for layer in range(vectors.layers)
        ]

    def others(self, best: TrainedProbe, vectors: WordVectors) -> Iterator[TrainedProbe]:
        """Train and yield the probes of other ranks on the best layer, then the controls on that layer.

        Args:
            best: the probe of the best layer, whose layer and kind are used.
            vectors: vectors of the model.
        """
        own = vectors.layer(best.layer, self.sample.split.train)
        controls = control_trees(self.sample.sentences, self.seed)

        def result(source: str, rank: int, of: Sequence[Vectors], trees: Sequence[Tree] | None = None) -> TrainedProbe:
            return self.result(source, best.kind, best.layer, rank, of, trees)

        for rank in ranks(vectors.width, best.rank):
            yield result(MODEL, rank, own)
        for source in (AGAIN, UNSQUARED):
            yield result(source, best.rank, own)
        yield result(SHUFFLED, best.rank, shuffled(own, self.seed))
        yield result(CONTROL, best.rank, own, controls)


def ranks(width: int, trained: int) -> list[int]:
    """Return the ranks of further probes on the best layer: the powers of two up to the width.

    Args:
        width: width of the vectors.
        trained: the rank of the probe that was trained already, which is left out.
    """
    return [rank for power in range(width.bit_length()) if (rank := 2**power) <= width and rank != trained]


def number_of_probes(layers: int, width: int, rank: int) -> int:
    """Return the number of structural probes that a study trains, for its progress bar.

    For each kind of probe (distance, depth) there is a probe of rank `rank` for every layer of the model and of its
    copy with random weights. The best layer has probes of other ranks up to the width, and four controls in addition.

    Args:
        layers: number of layers, the input layer included.
        width: width of the vectors.
        rank: rank of the probes of every layer.
    """
    return len(KINDS) * (2 * layers + len(ranks(width, rank)) + 4)


def best_probe(results: Sequence[TrainedProbe]) -> TrainedProbe:
    """Return the probe of the layer whose probe has the lowest loss on held-out sentences.

    Args:
        results: the probes of one kind, one for each layer.
    """
    return min(results, key=lambda result: result.loss)


def linear_chain(kind: Kind, sample: SyntaxSample) -> ProbeResult:
    """Return the scores of a baseline in which each word's head is the previous word, and the first word is the root.

    Args:
        kind: what is predicted: `distance` or `depth`.
        sample: the sentences with their trees.
    """
    rows = sample.split.test
    positions = [np.arange(len(sample.sentences[row]), dtype=float) for row in rows]
    predicted = [np.abs(each[:, None] - each) for each in positions] if kind == "distance" else positions
    scores = sentence_scores(kind, [sample.trees[row] for row in rows], predicted)
    return ProbeResult(CHAIN, kind, None, 0, None, scores)


def measured_scores(
    probe: StructuralProbe, kind: Kind, rows: Integers, vectors: Sequence[Vectors], trees: Sequence[Tree]
) -> SentenceScores:
    """Return the scores of a structural probe on some sentences.

    Args:
        probe: the probe.
        kind: what the probe predicts: `distance` or `depth`.
        rows: int64 [sentences], indices into `vectors` and `trees` of the sentences that are scored.
        vectors: for each sentence of the treebank float32 [words, width].
        trees: trees of all sentences of the treebank.
    """
    predicted = list[Floats]()
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        predicted += predictions(probe, kind, [vectors[row] for row in part], [trees[row] for row in part])
    return sentence_scores(kind, [trees[row] for row in rows], predicted)


def predictions(
    probe: StructuralProbe, kind: Kind, vectors: Sequence[Vectors], trees: Sequence[Tree]
) -> Iterator[Floats]:
    """Yield a structural probe's predictions for each sentence: float64 distances [words, words] or depths [words].

    Args:
        probe: the probe.
        kind: what the probe predicts: `distance` or `depth`.
        vectors: for each sentence float32 [words, width]; at least one sentence.
        trees: the trees of these sentences, in the same order.
    """
    batch = WordBatch.of(vectors, trees)
    with torch.inference_mode():
        values = probe.distances(batch) if kind == "distance" else probe.depths(batch)
    for each, of_sentence in zip(values.double().numpy(), vectors, strict=True):
        yield each[(slice(len(of_sentence)),) * each.ndim]


def sentence_scores(kind: Kind, trees: Sequence[Tree], predicted: Sequence[Floats]) -> SentenceScores:
    """Score the predicted tree distances or depths of each sentence.

    Args:
        kind: what is predicted: `distance` or `depth`.
        trees: the true trees.
        predicted: for each sentence distances [words, words] or depths [words].
    """
    pairs = list(zip(trees, predicted, strict=True))
    if kind == "distance":
        right, total = np.array([right_edges(tree, values) for tree, values in pairs]).T
        correlation: Callable[[Tree, Floats], float] = distance_spearman
    else:
        right = np.array([is_root_found(tree, values) for tree, values in pairs], dtype=np.int64)
        total, correlation = np.ones_like(right), depth_spearman
    return SentenceScores(right, total, floats([correlation(tree, values) for tree, values in pairs]))
