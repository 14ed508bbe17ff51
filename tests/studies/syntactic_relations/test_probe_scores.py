"""Shares of heads and their differences, counted by hand and on the same draws."""

import numpy as np
import pytest

from wordworth.measures.bootstrap import Resamples
from wordworth.studies.syntactic_relations.attention_head_selection import Counts
from wordworth.studies.syntactic_relations.correct_attachment_counts import OFFSETS, Relations, offset_counts
from wordworth.studies.syntactic_relations.probe_scores import (
    BEST_HEAD,
    BEST_OFFSET,
    COMPARED,
    RIGHT_BRANCHING,
    baselines,
    scored,
)
from wordworth.studies.syntactic_relations.probe_training import RANDOM, WORDS, ProbeResult
from wordworth.studies.treebank_sample import ProbeSplit
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes.train_probe import ProbeRun

RUN = ProbeRun((1.5, 1.25), 2)


def sentence(heads, relations):
    return DependencySentence(tuple("w" * len(heads)), np.array(heads), tuple(relations), 0, 1)


def test_baselines_are_chosen_on_the_training_half_and_counted_on_the_other():
    chosen = sentence([ROOT, 0, 0], ["root", "a", "a"])  # one head at -1, one at -2
    again = sentence([1, ROOT], ["a", "root"])  # one head at 1
    measured = sentence([1, 3, 1, ROOT, 3], ["a", "a", "a", "root", "punct"])
    sentences = [chosen, again, again, measured]
    relations = Relations.of(sentences, subtypes=False)
    maps = np.zeros((4, 2, len(relations.names)), int)
    maps[0, 0, 0], maps[0, 1, 0], maps[3, 0, 0], maps[3, 1, 0] = 2, 1, 1, 3
    counts = Counts(maps, maps, offset_counts(sentences, relations), relations.totals, np.arange(4))
    found, words = baselines(sentences, counts, ProbeSplit(np.array([0, 1]), np.array([2]), np.array([3])))
    assert words.tolist() == [4]  # the root is one of them
    assert found[BEST_HEAD].tolist() == [1]
    assert found[BEST_OFFSET].tolist() == counts.offsets[[3], OFFSETS.index(1), 0].tolist() == [1]
    assert found[RIGHT_BRANCHING].tolist() == [1]  # the first word; the root is not the last word
    ending = sentence([1, ROOT], ["a", "root"])
    split = ProbeSplit(np.array([0, 1]), np.array([2]), np.array([1]))
    assert baselines([chosen, ending, again, measured], counts, split)[0][RIGHT_BRANCHING].tolist() == [2]


def results(rates, seed, words=10, sentences=150):
    """Probes and baselines that find each word's head with the rates given, on sentences that differ in difficulty."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(0, 0.05, sentences)

    def right(name):
        return rng.binomial(words, np.clip(rates.get(name, 0.3) + ease, 0, 1))

    names = dict.fromkeys(name for pair in COMPARED for name in pair)
    probes = {
        name: ProbeResult(right(name), None if "random" in name else right(name), 0.1, RUN, 7)
        for name in names
        if name not in (BEST_HEAD, RIGHT_BRANCHING)
    }
    found = {name: right(name) for name in (BEST_HEAD, BEST_OFFSET, RIGHT_BRANCHING)}
    return scored(probes, found, np.full(sentences, words), np.arange(sentences), Resamples(200, seed))


def test_differences_are_found_and_equal_probes_are_not_told_apart():
    ahead, covered, again = {}, 0, 0
    for seed in range(40):
        scores = results({"attention and words": 0.5, "attention alone": 0.42}, seed)
        for each in scores.differences:
            ahead.setdefault((each.first, each.second), []).append(each.is_ahead)
        covered += 0.08 in scores.differences[0].ends
        again += 0 in scores.again[WORDS][1]
    assert np.mean(ahead["attention and words", "words and distances"]) == 1
    assert np.mean(ahead["attention alone", RANDOM.format("attention alone")]) > 0.9
    assert covered / 40 > 0.85
    assert again / 40 > 0.85


def test_equal_probes_count_as_ahead_as_seldom_as_is_asked_for():
    flags = [each.is_ahead for seed in range(40) for each in results({}, seed).differences]
    assert np.mean(flags) < 0.02  # 0.3 % in the long run: half of 5 % over eight differences


def test_a_difference_is_that_of_the_shares():
    scores = results({"attention and words": 0.5}, 0)
    for each in scores.differences:
        assert each.value == pytest.approx(scores.scores[each.first][0] - scores.scores[each.second][0])
        assert each.value in each.ends
    assert scores.words == 1500
    assert set(scores.again) == {name for name in scores.probes if "random" not in name}
