"""The tagging head: it learns order, honours the rules, and its answers are its own."""

import numpy as np
import pytest
from tests.representations.heads.fit_head import fit_head

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.bilstm_crf import BiLstmCrf
from wordworth.representations.heads.linear_head import LinearHead

CLASSES = ("B-x", "I-x", "O")
SMALL = BiLstmCrf(hidden=12, epochs=20, least_steps=150, rate=1e-2, dropout=0.1, batch=8)


def sentences(count, seed=0, labels=None):
    """Words are one of four marks; mark 1 opens an entity that lasts until mark 2: context alone decides the rest."""
    rng = np.random.default_rng(seed)
    features, tags = [], []
    for _ in range(count):
        marks, inside, said = rng.choice(4, rng.integers(2, 9), p=[0.4, 0.25, 0.2, 0.15]), False, []
        for mark in marks:
            if mark == 1:
                said.append(0)
                inside = True
            elif mark == 2:
                said.append(2)
                inside = False
            else:
                said.append(1 if inside else 2)
        features.append(np.eye(4, dtype=np.float32)[marks])
        tags.append(np.array(said, np.int64))
    lengths = np.array([len(each) for each in tags])
    target = Target(kind="tags", labels=labels or tuple(tags), classes=CLASSES, metric="entity_f1", lengths=lengths)
    return np.concatenate(features), target


def accuracy(said, gold):
    return np.mean(np.concatenate(said) == np.concatenate(gold))


@pytest.mark.parametrize("crf", [True, False])
def test_it_learns_what_no_word_says_by_itself(crf):
    features, target = sentences(60)
    new, hidden = sentences(60, seed=1)
    head = BiLstmCrf(hidden=12, epochs=20, least_steps=150, rate=1e-2, dropout=0.1, batch=8, crf=crf)
    fitted = fit_head(head, {"only": features}, target, np.random.default_rng(0))
    alone = fit_head(LinearHead(), {"only": features}, target, np.random.default_rng(0))
    assert accuracy(fitted.predict(new, hidden.lengths), hidden.labels) > 0.97
    assert accuracy(alone.predict(new, hidden.lengths), hidden.labels) < 0.85


def test_the_view_that_tells_is_chosen():
    features, target = sentences(40)
    noise = np.random.default_rng(0).normal(size=features.shape).astype(np.float32)
    fitted = fit_head(SMALL, {"noise": noise, "marks": features}, target, np.random.default_rng(0))
    assert fitted.view == fitted.chosen["view"] == "marks"


def test_the_rules_are_left_out_where_the_training_tags_break_them():
    features, target = sentences(30)
    iob1 = tuple(np.where(tags == 0, 1, tags) for tags in target.labels)
    _, broken = sentences(30, labels=iob1)
    said = fit_head(SMALL, {"only": features}, broken, np.random.default_rng(0)).predict(features, target.lengths)
    assert accuracy(said, iob1) > 0.95


@pytest.mark.slow
def test_same_seed_same_tags_and_another_seed_another_network():
    features, target = sentences(20)
    networks = [
        fit_head(SMALL, {"only": features}, target, np.random.default_rng(seed)).tagger.output.weight
        for seed in (0, 0, 1)
    ]
    assert networks[0].equal(networks[1])
    assert not networks[0].equal(networks[2])


def test_a_sentence_gets_its_tags_alone_and_among_others_and_none_without_words():
    features, target = sentences(30)
    fitted = fit_head(SMALL, {"only": features}, target, np.random.default_rng(0))
    together = fitted.predict(features, target.lengths)
    first = target.lengths[0]
    np.testing.assert_array_equal(fitted.predict(features[:first], target.lengths[:1])[0], together[0])
    assert [len(tags) for tags in fitted.predict(features[:first], np.array([0, first, 0]))] == [0, first, 0]
    assert fitted.predict(features[:0], np.array([], np.int64)) == ()


def test_enough_sentences_hold_one_in_eight_out():
    features, target = sentences(48)
    head = BiLstmCrf(hidden=4, epochs=2, least_steps=4, stop_from=40)
    assert fit_head(head, {"only": features}, target, np.random.default_rng(0)).chosen["held_out"] == 6


def test_the_weights_of_its_network_are_counted_before_it_learns():
    features, target = sentences(20)
    counted = SMALL.num_learned(features.shape[1], target, lambda: pytest.fail("no feature need be read"))
    assert counted == fit_head(SMALL, {"only": features}, target, np.random.default_rng(0)).parameters
