"""The one trainer of probes: it finds the lowest loss, stops in time, and keeps what it had learned best."""

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from wordworth.training.loop import Loss
from wordworth.training.probes.dependency_probes import AttentionProbe
from wordworth.training.probes.train_probe import ProbeTraining, mean_loss, train_probe
from wordworth.training.probes.word_pairs import ProbedSentence, WordPairs

MAPS = 4
RNG = np.random.default_rng(3)


def sentences(number, *, informative=True):
    """Sentences whose first map is large at the head, more or less; the other maps are noise."""
    made = []
    for _ in range(number):
        words = int(RNG.integers(2, 8))
        heads = np.array([RNG.choice([each for each in range(words + 1) if each != word]) for word in range(words)])
        maps = RNG.random((words * words, MAPS))
        columns = heads - (heads > np.arange(words))
        maps[np.arange(words) * words + columns, 0] += 0.5 * informative
        made.append(ProbedSentence(maps, np.zeros((words, 1), np.float32), heads, np.ones(words, bool)))
    return made


def loss_of(probe, data):
    def loss(rows, generator):  # noqa: ARG001 - no dropout
        pairs = WordPairs.of([data[row] for row in rows])
        return pairs.loss(probe(pairs))

    return loss


def test_a_convex_probe_ends_where_a_general_optimiser_ends():
    data = sentences(40)
    probe, rows = AttentionProbe(MAPS), np.arange(40)
    training = ProbeTraining(rate=0.1, batch_size=40, passes=600, patience=20, decay=0.5)
    run = train_probe(probe, loss_of(probe, data), rows, rows, training, seed=0)

    def slow(weights):
        """The mean cross-entropy, word by word."""
        total, number = 0.0, 0
        for each in data:
            words = len(each)
            for word in range(words):
                scores = each.maps[word * words : (word + 1) * words] @ weights[:MAPS]
                scores[-1] += weights[MAPS]  # the root is the last candidate
                total += np.logaddexp.reduce(scores) - scores[each.heads[word] - (each.heads[word] > word)]
                number += 1
        return total / number

    found = minimize(slow, np.zeros(MAPS + 1), method="L-BFGS-B", options={"gtol": 1e-8})
    assert min(run.losses) == pytest.approx(found.fun, abs=1e-5)
    weights = np.append(probe.weights.detach().numpy(), probe.root.detach().numpy())
    assert weights == pytest.approx(found.x, abs=0.05)


def test_the_weights_are_those_of_the_lowest_held_out_loss():
    data = sentences(30, informative=False)  # nothing to learn: every pass fits noise
    probe, items, held_out = AttentionProbe(MAPS), np.arange(15), np.arange(15, 30)
    training = ProbeTraining(rate=0.3, batch_size=5, passes=30, patience=4)
    run = train_probe(probe, loss_of(probe, data), items, held_out, training, seed=0)
    assert len(run.losses) < 30
    assert run.losses[run.best_pass - 1] == min(run.losses)
    assert mean_loss(loss_of(probe, data), held_out, 7) == pytest.approx(min(run.losses), rel=1e-5)
    assert len(run.losses) == run.best_pass + 4


def test_held_out_items_are_never_learned_from_and_see_no_dropout():
    seen = {True: set(), False: set()}
    probe = torch.nn.Linear(1, 1)

    def loss(rows, generator):
        seen[generator is not None] |= set(rows.tolist())
        return Loss(probe(torch.ones(len(rows), 1)).square().sum(), len(rows))

    train_probe(probe, loss, np.arange(3, 9), np.arange(3), ProbeTraining(passes=2, batch_size=4), seed=0)
    assert seen == {True: {3, 4, 5, 6, 7, 8}, False: {0, 1, 2}}


def test_the_same_seed_gives_the_same_probe_and_progress_ends_at_its_total():
    class Counter:
        done = 0.0

        def advance(self, amount=1):
            self.done += amount

    data, weights = sentences(20), []
    for seed in (0, 0, 1):
        probe, step = AttentionProbe(MAPS), Counter()
        training = ProbeTraining(rate=0.3, batch_size=4, passes=6, patience=1)
        train_probe(probe, loss_of(probe, data), np.arange(12), np.arange(12, 20), training, seed=seed, step=step)
        weights.append(probe.weights.tolist())
        assert step.done == pytest.approx(6 * 12)
    assert weights[0] == weights[1] != weights[2]


def test_without_targets_the_mean_loss_is_undefined():
    assert np.isnan(mean_loss(lambda *_: Loss(torch.zeros(()), 0), np.arange(3), 2))
