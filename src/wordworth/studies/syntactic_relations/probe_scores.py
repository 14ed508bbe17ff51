"""Unlabelled attachment scores of the dependency probes and their baselines, and tested differences of two scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, Resamples, interval, share_draws
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.models.encoder_base import Encoder
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntactic_relations.attention_head_selection import LEVEL, Counts
from wordworth.studies.syntactic_relations.dependency_probe_inputs import ProbeInputs, heads_or_end
from wordworth.studies.syntactic_relations.probe_training import (
    ATTENTION,
    ATTENTION_AND_WORDS,
    RANDOM,
    WORDS,
    WORDS_AND_DISTANCES,
    ProbeResult,
    probe_results,
)
from wordworth.studies.treebank_sample import ProbeSplit, is_counted
from wordworth.text.treebank import DependencySentence

BEST_HEAD, BEST_OFFSET, RIGHT_BRANCHING = "best single head", "best offset", "right-branching"
COMPARED = (
    (ATTENTION_AND_WORDS, ATTENTION),
    (ATTENTION_AND_WORDS, WORDS_AND_DISTANCES),
    (ATTENTION, WORDS_AND_DISTANCES),
    (ATTENTION, BEST_HEAD),
    (ATTENTION, RIGHT_BRANCHING),
    (ATTENTION_AND_WORDS, RANDOM.format(ATTENTION_AND_WORDS)),
    (ATTENTION, RANDOM.format(ATTENTION)),
    (ATTENTION_AND_WORDS, WORDS),
)
"""The differences that are tested: the score of the first system minus that of the second."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The unlabelled attachment score of one system minus the score of a second system.

    Attributes:
        first, second: names of the two systems.
        value: the difference of the two shares of correct words, from -1 to 1.
        ends: 95 % interval of the difference, from resamples of documents that all systems share.
        is_ahead: whether the interval is above 0 at a level corrected for the number of differences (Bonferroni).
    """

    first: str
    second: str
    value: float
    ends: Interval
    is_ahead: bool


@dataclass(frozen=True, slots=True)
class ProbeScores:
    """The unlabelled attachment score of every probe and baseline on the test sentences.

    Attributes:
        words: number of words measured, without punctuation.
        scores: name of a system -> share of words whose syntactic head it finds, with the 95 % interval over documents.
        again: name of a probe -> its score after training with another seed minus its first score, with the 95 %
            interval.
        differences: the difference of each pair of systems in `COMPARED`, in that order.
        probes: name of a probe -> the result of its training, with the number of words in each test sentence whose
            syntactic head it finds.
    """

    words: int
    scores: Mapping[str, tuple[float, Interval]]
    again: Mapping[str, tuple[float, Interval]]
    differences: Sequence[Difference]
    probes: Mapping[str, ProbeResult]


def probe_scores(
    inputs: ProbeInputs,
    models: tuple[Encoder, Encoder],
    counts: Counts,
    split: ProbeSplit,
    resamples: Resamples,
    finished: FinishedParts,
) -> ProbeScores:
    """Train the dependency probes, and measure them and their baselines.

    Args:
        inputs: the sentences.
        models: the encoder, and an encoder of the same shape with random weights.
        counts: numbers of correct predictions of single attention heads and of offsets, for all sentences.
        split: indices of the sentences to train on, held out for early stopping, and to test on.
        resamples: the bootstrap resamples: their number, and the seed.
        finished: cache with the probes that an earlier call trained; its field `progress` receives the progress of
            reading attention, training and measuring.
    """
    probes = probe_results(inputs, models, split, resamples.seed, finished)
    of_baselines, totals = baselines(inputs.sentences, counts, split)
    return scored(probes, of_baselines, totals, counts.documents[split.test], resamples)


def scored(
    probes: Mapping[str, ProbeResult],
    of_baselines: Mapping[str, Integers],
    totals: Integers,
    documents: Integers,
    resamples: Resamples,
) -> ProbeScores:
    """Compute the attachment scores of probes and baselines and their differences, with intervals over documents.

    All arrays have a value for each test sentence, and for no other sentence.

    Args:
        probes: name of a probe -> the result of its training, with the number of words whose syntactic head it finds.
        of_baselines: name of a baseline -> int64 [sentences], number of words whose syntactic head it finds.
        totals: int64 [sentences], number of words that are scored.
        documents: int64 [sentences], a number that identifies each sentence's document.
        resamples: the bootstrap resamples: their number, and the seed.
    """
    columns = {name: result.right for name, result in probes.items()} | dict(of_baselines)
    twice = [name for name, result in probes.items() if result.again is not None]
    right = floats([*columns.values(), *(probes[name].again for name in twice)]).T
    rng = seeds.child(resamples.seed, "relations", "probe draws")
    drawn = share_draws(right, floats(totals), documents, resamples.draws, rng)
    shares, drawn = right.sum(0) / totals.sum(), drawn[np.isfinite(drawn).all(1)]
    column_of = {name: column for column, name in enumerate(columns)}

    def less(first: int, second: int) -> tuple[float, Floats]:
        return float(shares[first] - shares[second]), drawn[:, first] - drawn[:, second]

    again = {name: less(len(columns) + number, column_of[name]) for number, name in enumerate(twice)}
    pairs = {(first, second): less(column_of[first], column_of[second]) for first, second in COMPARED}
    level = 1 - (1 - LEVEL) / len(COMPARED)
    return ProbeScores(
        words=int(totals.sum()),
        scores={name: (float(shares[column]), interval(drawn[:, column])) for name, column in column_of.items()},
        again={name: (value, interval(gaps)) for name, (value, gaps) in again.items()},
        differences=[
            Difference(first, second, value, interval(gaps), interval(gaps, level).low > 0)
            for (first, second), (value, gaps) in pairs.items()
        ],
        probes=probes,
    )


def baselines(
    sentences: Sequence[DependencySentence], counts: Counts, split: ProbeSplit
) -> tuple[dict[str, Integers], Integers]:
    """Count the words whose syntactic head each baseline finds, in each test sentence.

    The baselines are the best attention head, the best offset and right-branching. The first two are chosen on the
    training sentences, and never predict that a word is the root. Right-branching predicts the next word, and the root
    for the last word.

    Args:
        sentences: all sentences.
        counts: numbers of correct predictions of single attention heads and of offsets, for all sentences.
        split: indices of the sentences to train on, held out for early stopping, and to test on.

    Returns:
        Name of each baseline -> int64 [sentences], the number of correct words; and int64 [sentences], the number of
        words that are scored.
    """
    best = {}
    for name, by_map in ((BEST_HEAD, counts.maps), (BEST_OFFSET, counts.offsets)):
        chosen = int(by_map[split.train_and_held_out, :, 0].sum(0).argmax())
        best[name] = by_map[split.test, chosen, 0]
    measured = [sentences[row] for row in split.test]
    counted = [is_counted(sentence) for sentence in measured]
    following = [heads_or_end(each) == np.arange(1, len(each) + 1) for each in measured]
    right = [(is_right & of_words).sum() for is_right, of_words in zip(following, counted, strict=True)]
    return best | {RIGHT_BRANCHING: np.array(right)}, np.array([of_words.sum() for of_words in counted])
