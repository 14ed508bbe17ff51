"""The CRF head: it learns what follows what, judges as it learns, and takes any sentences."""

from dataclasses import replace
from threading import Thread

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from wordworth.measures.metrics import metric
from wordworth.representations.heads.crf import CrfChoice, LinearChainCrf
from wordworth.representations.heads.folds import cross_validation, of_frozen
from wordworth.representations.heads.head import Target
from wordworth.representations.heads.linear import LinearHead

CLASSES = ("B-x", "I-x", "O")
CHOICE = CrfChoice(view="features", penalty=0.03)


def sentences(count, seed=0, unclear=0.0):
    """Mark 1 opens an entity that lasts until mark 2: neighbours alone decide the rest. Some marks are unclear."""
    rng = np.random.default_rng(seed)
    rows, labels = [], []
    for _ in range(count):
        marks = rng.choice(4, rng.integers(2, 12), p=[0.4, 0.25, 0.2, 0.15])
        inside = np.maximum.accumulate(np.where(np.isin(marks, (1, 2)), np.arange(len(marks)), -1))
        opened = (inside >= 0) & (marks[inside] == 1)
        labels.append(np.where(marks == 1, 0, np.where(opened, 1, 2)).astype(np.int64))
        rows.append(np.where(rng.random(len(marks)) < unclear, rng.choice(4, len(marks)), marks))
    lengths = np.array([len(row) for row in rows])
    target = Target(kind="tags", labels=tuple(labels), classes=CLASSES, metric="entity_f1", lengths=lengths)
    return {"features": csr_matrix(np.eye(4, dtype=np.float32)[np.concatenate(rows)])}, target


def entity_f1(said, target):
    return metric("entity_f1", CLASSES).score(target.labels, said)


def test_it_learns_what_each_word_alone_does_not_tell():
    views, target = sentences(200)
    unseen, other = sentences(100, seed=1)
    said = LinearChainCrf().fit(views, target, np.random.default_rng(0)).predict(unseen["features"], other.lengths)
    alone = LinearHead().fit(views, target, np.random.default_rng(0)).predict(unseen["features"], other.lengths)
    assert entity_f1(said, other) > 0.95
    assert entity_f1(alone, other) < 0.7


def test_a_fold_is_judged_as_learning_from_the_rest_and_answering_it_would_be():
    views, target = sentences(60, unclear=0.4)
    head = LinearChainCrf(penalties=(CHOICE.penalty,))
    splits = head.plan.split(target, np.random.default_rng(0))
    answers = [None] * 60
    for learned, held in splits:
        fitted = head.learn({"features": views["features"][target.feature_rows(learned)]}, target.take(learned), CHOICE)
        said = fitted.predict(views["features"][target.feature_rows(held)], target.take(held).lengths)
        for item, tags in zip(held, said, strict=True):
            answers[item] = tags
    judged = head._score(cross_validation(of_frozen(views, target), target, splits), CHOICE)
    assert judged == pytest.approx(entity_f1(tuple(answers), target), abs=1e-12)


def test_the_penalty_is_the_best_judged_one():
    views, target = sentences(80, unclear=0.4)
    head, rng = LinearChainCrf(penalties=(1e4, 0.03)), np.random.default_rng(0)
    assert head.choose(of_frozen(views, target), target, rng).penalty == 0.03
    assert replace(head, penalties=(0.03, 1e4)).choose(of_frozen(views, target), target, rng).penalty == 0.03


def test_learning_takes_no_chance_and_heeds_no_thread():
    views, target = sentences(120, unclear=0.2)
    fits = [None, None, None]

    def learn(number):
        fits[number] = LinearChainCrf().learn(views, target, CHOICE, np.random.default_rng(number))

    threads = [Thread(target=learn, args=(number,)) for number in (1, 2)]
    learn(0)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    weights = [fit.model.weights.tobytes() + fit.model.step.tobytes() for fit in fits]
    assert weights[0] == weights[1] == weights[2]


def test_an_interrupt_ends_a_fit_at_once(monkeypatch):
    views, target = sentences(50)
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr("wordworth.representations.heads.chain_model.marginals", interrupted)
    with pytest.raises(KeyboardInterrupt):
        LinearChainCrf().learn(views, target, CHOICE)
    assert len(calls) == 1


@pytest.mark.parametrize("count", [0, 1, 2])
def test_very_few_sentences_are_learned_from(count):
    views, target = sentences(3)
    some = np.arange(count)
    views = {"features": views["features"][target.feature_rows(some)]}
    fitted = LinearChainCrf().fit(views, target.take(some), np.random.default_rng(0))
    unseen, other = sentences(5, seed=4)
    said = fitted.predict(unseen["features"], other.lengths)
    assert [len(tags) for tags in said] == other.lengths.tolist()


def test_a_tag_that_was_not_learned_from_is_never_said():
    views, target = sentences(40)
    without = replace(target, labels=tuple(np.where(tags == 1, 2, tags) for tags in target.labels))
    said = LinearChainCrf().learn(views, without, CHOICE).predict(views["features"], target.lengths)
    assert set(np.concatenate(said).tolist()) == {0, 2}


def test_sentences_without_words_have_no_tags():
    views, target = sentences(40)
    fitted = LinearChainCrf().learn(views, target, CHOICE)
    said = fitted.predict(views["features"][:3], np.array([0, 3, 0]))
    assert [len(tags) for tags in said] == [0, 3, 0]
    assert fitted.predict(views["features"][:0], np.array([], np.int64)) == ()


def test_columns_that_were_not_learned_from_weigh_nothing():
    views, target = sentences(60)
    fitted = LinearChainCrf().learn(views, target, CHOICE)
    wide = csr_matrix(np.hstack([views["features"].toarray(), np.ones((views["features"].shape[0], 3), np.float32)]))
    plain = fitted.predict(views["features"], target.lengths)
    assert all(map(np.array_equal, fitted.predict(wide, target.lengths), plain))
