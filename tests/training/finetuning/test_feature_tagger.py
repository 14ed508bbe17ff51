"""A tagger over frozen states is judged on the dev part as learning without that part and answering it would be."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from wordworth.tasks.selection_score import selection_score
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.bilstm_tagger import tags_of
from wordworth.training.finetuning.feature_tagger import Features, FeatureTaggerTraining, Strategy, layers_of
from wordworth.training.finetuning.run_result import HyperParameters

POINT = HyperParameters(learning_rate=2e-2, batch_size=12, epochs=16)
DEPTH, WIDTH = 5, 6


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr("wordworth.training.finetuning.feature_tagger.HIDDEN", 16)


def states(task, strategy, held_out):
    """Made-up states of layers; those of held-out sentences spread twice as far."""
    rng, shape = np.random.default_rng(0), (len(layers_of(strategy, DEPTH)), WIDTH)
    lengths = np.array([len(words) for words in task.examples.words])
    told = 3 * np.eye(WIDTH)[np.concatenate(task.labels)][:, None]
    values = rng.normal(size=(lengths.sum(), *shape)) + told
    values[np.repeat(np.isin(np.arange(len(lengths)), held_out), lengths)] *= 2
    return Features(strategy, values.astype(np.float16), lengths)


def alone(task, features, rows):
    """A task and its states that hold nothing but some rows."""
    few = replace(task, examples=task.examples.take(rows), labels=task.gold(rows), train=np.arange(len(rows)))
    pieces = np.split(features.values, np.cumsum(features.lengths)[:-1])
    return few, replace(features, values=np.concatenate([pieces[row] for row in rows]), lengths=features.lengths[rows])


def trained(features, task, learned, crf):
    attempt = FeatureTaggerTraining(features, task, learned, POINT, 0, crf=crf)
    for done in attempt.loop.run():
        if done.step + 1 >= attempt.steps:
            break
    return attempt


@pytest.mark.parametrize(("strategy", "crf"), [("last", True), *((strategy, False) for strategy in get_args(Strategy))])
def test_the_dev_part_is_judged_as_by_a_tagger_that_never_saw_it(strategy, crf):
    task = sample_task("tags", 72)
    learned, dev = np.split(np.random.default_rng(1).permutation(task.train), [36])
    learned = np.sort(learned)
    features = states(task, strategy, np.concatenate([dev, task.test]))
    judged = trained(features, task, learned, crf)
    slow = trained(*alone(task, features, learned)[::-1], np.arange(len(learned)), crf)
    dev_task, dev_features = alone(task, features, dev)
    answers = tags_of(slow.network, dev_features.values, dev_features.lengths)
    _, said = judged.tune(dev)
    assert all(map(np.array_equal, said, answers))
    assert (
        selection_score(task, task.gold(dev), said)
        == selection_score(dev_task, dev_task.gold(np.arange(len(dev))), answers)
        > 0
    )


@pytest.mark.parametrize("strategy", ["weighted-last-four", "weighted-all"])
def test_layers_are_weighed_by_what_was_learned_from_alone(strategy):
    task = sample_task("tags", 72)
    features = states(task, strategy, task.test)
    other = replace(
        task, labels=tuple(tags[::-1] if row in task.test else tags for row, tags in enumerate(task.labels))
    )
    noise = states(task, strategy, task.train)
    mixed = replace(features, values=np.where(marked(task, task.test), noise.values, features.values))
    both = [trained(*one, task.train, crf=False).network.weights for one in ((features, task), (mixed, other))]
    assert both[0].equal(both[1])
    assert both[0].any()


def marked(task, rows):
    """Bool [words, 1, 1]: the words of some sentences."""
    lengths = [len(words) for words in task.examples.words]
    return np.repeat(np.isin(np.arange(len(lengths)), rows), lengths)[:, None, None]
