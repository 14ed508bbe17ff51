"""The CRF head: it learns what follows what, judges as it learns, and takes any sentences."""

import os
from dataclasses import replace
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from tests.representations.heads.fit_head import feature_rows, fit_head, of_frozen

from wordworth.measures.metrics import metric
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.crf_head import CrfChoice, LinearChainCrf, PenaltySearch
from wordworth.representations.heads.cross_validation import cross_validation
from wordworth.representations.heads.linear_chain_crf import LbfgsSettings
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.rung import RunContext
from wordworth.representations.tagging_features import TagFeatures
from wordworth.tasks.datasets import named_task

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
    said = fit_head(LinearChainCrf(), views, target, np.random.default_rng(0)).predict(
        unseen["features"], other.lengths
    )
    alone = fit_head(LinearHead(), views, target, np.random.default_rng(0)).predict(unseen["features"], other.lengths)
    assert entity_f1(said, other) > 0.95
    assert entity_f1(alone, other) < 0.7


def learned_and_answered(head, views, target, splits, choice):
    """The score of the slow way: a CRF learns from each fold's training sentences, then predictions the others."""
    predictions = [None] * len(target)
    for training, held_out in splits:
        seen = {"features": views["features"][feature_rows(target, training)]}
        fitted = head.learn(seen, target.take(training), choice)
        said = fitted.predict(views["features"][feature_rows(target, held_out)], target.take(held_out).lengths)
        for item, tags in zip(held_out, said, strict=True):
            predictions[item] = tags
    held = np.sort(np.concatenate([held_out for _, held_out in splits]))
    gold = target.take(held).labels
    return metric("entity_f1", target.classes).score(gold, tuple(predictions[item] for item in held))


def searched(head, views, target, splits):
    return PenaltySearch(cross_validation(of_frozen(views, target), target, splits), head.search)


def test_a_fold_is_judged_as_learning_from_the_rest_and_answering_it_would_be():
    views, target = sentences(60, unclear=0.4)
    head = LinearChainCrf()
    splits = head.plan.split(target, np.random.default_rng(0))
    judged = searched(head, views, target, splits).score("features", CHOICE.penalty)
    assert judged == pytest.approx(learned_and_answered(head, views, target, splits, CHOICE), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"), [("conll2003", 300), ("conll2003", 1000), ("conll2002_nl", 300), ("ncbi_disease", 300)]
)
def test_on_real_texts_too_a_search_scores_as_learning_and_answering_does(name, size):
    folder = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[4] / "shared" / "data")) / name
    if not folder.exists():
        pytest.skip(f"no {name} in the folder of data sets (WORDWORTH_DATA)")
    task = named_task(name, folder=folder)
    rows = np.sort(np.random.default_rng(0).permutation(task.train)[:size])
    target, head = Target.of(task, rows), LinearChainCrf()
    views = TagFeatures().views(task.examples.take(rows), RunContext())
    splits = head.plan.split(target, np.random.default_rng(0))
    search = searched(head, views, target, splits)
    for penalty in (0.3, 0.03, 1.0):
        slow = learned_and_answered(head, views, target, splits, replace(CHOICE, penalty=penalty))
        assert search.score("features", penalty) == pytest.approx(slow, abs=1e-12)


def test_the_penalty_is_the_best_judged_one_wherever_the_search_starts():
    views, target = sentences(80, unclear=0.4)
    head, rng = LinearChainCrf(penalties=(0.03, 1e4)), np.random.default_rng(0)
    assert head.choose(of_frozen(views, target), target, rng).penalty == 0.03
    assert replace(head, penalties=(1e4, 0.03)).choose(of_frozen(views, target), target, rng).penalty == 0.03


def test_the_search_goes_uphill_from_the_usual_penalty():
    views, target = sentences(80, unclear=0.4)
    search = searched(LinearChainCrf(), views, target, [(np.arange(40), np.arange(40, 80))])
    heights = {0.003: 0.4, 0.03: 0.6, 0.3: 0.5, 3.0: 0.9}
    search.known.update({("features", penalty): height for penalty, height in heights.items()})
    assert search.best("features", tuple(heights), 0.03) == 0.03
    assert search.best("features", tuple(heights), 2.0) == 3.0
    assert set(search.known) == {("features", penalty) for penalty in heights}
    assert LinearChainCrf().choose(of_frozen(views, target), target.take(np.arange(1)), None).penalty == 0.03


def test_every_sentence_takes_part_in_the_choice():
    views, target = sentences(1200)
    asked = []

    def features(training, held_out):
        asked.extend([*training, *held_out])
        return of_frozen(views, target)(training, held_out)

    assert LinearChainCrf().max_selection_items is None
    LinearChainCrf(penalties=(0.3, 1.0)).choose(features, target, np.random.default_rng(0))
    assert set(asked) == set(range(1200))


def test_a_search_that_ran_out_of_steps_says_so():
    views, target = sentences(80, unclear=0.4)
    assert LinearChainCrf().learn(views, target, CHOICE).chosen["converged"]
    assert not LinearChainCrf(search=LbfgsSettings(steps=3)).learn(views, target, CHOICE).chosen["converged"]


def test_only_weights_that_exist_are_counted():
    """Marks and tags: 0 and 3 stand at I-x and O, 1 at B-x, 2 at O; and each of three tags may follow each."""
    views, target = sentences(200)
    head = LinearChainCrf()
    counted = head.num_learned(1 << 18, target, lambda: views)
    assert counted == 6 + 9
    assert counted == head.learn(views, target, CHOICE).parameters


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
    weights = [fit.model.weights.tobytes() + fit.model.transitions.tobytes() for fit in fits]
    assert weights[0] == weights[1] == weights[2]


def test_an_interrupt_ends_a_fit_at_once(monkeypatch):
    views, target = sentences(50)
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr("wordworth.representations.heads.linear_chain_crf.marginals", interrupted)
    with pytest.raises(KeyboardInterrupt):
        LinearChainCrf().learn(views, target, CHOICE)
    assert len(calls) == 1


@pytest.mark.parametrize("count", [0, 1, 2])
def test_very_few_sentences_are_learned_from(count):
    views, target = sentences(3)
    some = np.arange(count)
    views = {"features": views["features"][feature_rows(target, some)]}
    fitted = fit_head(LinearChainCrf(), views, target.take(some), np.random.default_rng(0))
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


def test_a_fit_reports_how_much_of_its_search_is_done():
    reported = []
    views, target = sentences(60, unclear=0.4)
    head = LinearChainCrf().with_progress(reported.append)
    head.choose(of_frozen(views, target), target, np.random.default_rng(0))
    assert len(reported) >= 2 * head.plan.folds
    assert 0.5 < sum(reported) < 1.6
