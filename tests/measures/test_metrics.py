"""Metrics: exact checks, and resampled sets scored as if their items had been written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.measures import metrics
from wordworth.tasks import task_types

CLASSES = ("ham", "spam", "eggs")
TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER")


def one_hot(classes, of=3):
    return np.eye(of)[np.asarray(classes)]


def drawn(kind, rng, items):
    """Gold and predictions of a kind, with ties and equal values."""
    if kind == "classification":
        return rng.integers(3, size=items), rng.integers(4, size=(items, 3)).astype(float)
    if kind == "multilabel":
        return rng.random((items, 3)) < 0.4, rng.integers(-2, 3, size=(items, 3)).astype(float)
    if kind == "regression":
        return rng.integers(5, size=items) / 4, rng.integers(4, size=items) / 3
    lengths = rng.integers(0, 6, size=items)
    sides = [[rng.integers(len(TAGS), size=length) for length in lengths] for _ in range(2)]
    return tuple(sides[0]), tuple(sides[1])


def repeated(values, counts):
    """The slow twin's test set: every item written out as often as it was drawn."""
    if isinstance(values, tuple):
        return tuple(value for value, times in zip(values, counts, strict=True) for _ in range(times))
    return np.repeat(values, counts, axis=0)


NAMES = [
    *(("classification", name) for name in ("accuracy", "macro_f1", "micro_f1", "matthews", "f1:spam")),
    *(("multilabel", name) for name in ("accuracy", "macro_f1", "micro_f1", "f1:spam")),
    *(("regression", name) for name in ("pearson", "spearman", "r2")),
    *(("tagging", name) for name in ("entity_f1", "token_accuracy", "accuracy", "f1:LOC")),
]


@pytest.mark.parametrize(("kind", "name"), NAMES)
@given(seed=st.integers(0, 2**32 - 1), items=st.integers(1, 12))
@settings(max_examples=25, deadline=None)
def test_a_resampled_set_scores_as_if_its_items_were_written_out(kind, name, seed, items):
    rng = np.random.default_rng(seed)
    gold, predicted = drawn(kind, rng, items)
    metric = metrics.metric(name, TAGS if kind == "tagging" else CLASSES)
    weights = rng.integers(4, size=(5, items))
    weights[:, 0] += 1
    by_draw = metric.score(gold, predicted, weights.astype(float))
    slow = [metric.score(repeated(gold, row), repeated(predicted, row)) for row in weights]
    np.testing.assert_allclose(by_draw, slow, atol=1e-12)
    assert task_types.can_measure(metric, task_types.get(kind))
    assert np.all(by_draw <= 1)


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_every_item_once_is_the_plain_score(kind, name):
    gold, predicted = drawn(kind, np.random.default_rng(1), 30)
    metric = metrics.metric(name, TAGS if kind == "tagging" else CLASSES)
    assert metric.score(gold, predicted, np.ones((3, 30))) == pytest.approx(
        [metric.score(gold, predicted)] * 3, abs=1e-15
    )


@pytest.mark.parametrize("kind", ["classification", "pair_classification", "multilabel", "regression", "tagging"])
def test_every_kind_of_task_has_its_usual_metrics_and_a_perfect_score_is_one(kind):
    gold, _ = drawn("classification" if kind == "pair_classification" else kind, np.random.default_rng(2), 40)
    perfect = one_hot(gold) if kind in {"classification", "pair_classification"} else gold
    for name in task_types.get(kind).metrics:
        metric = metrics.metric(name, TAGS if kind == "tagging" else CLASSES)
        assert task_types.can_measure(metric, task_types.get(kind))
        assert metric.score(gold, perfect) == pytest.approx(1)
    assert not metrics.errors(gold, perfect).any()


def test_matthews_correlation_of_the_worked_example_is_seven_fifteenths():
    gold, said = np.array([1, 1, 1, 0, 0, 1, 0, 1]), [1, 0, 1, 0, 1, 1, 0, 1]
    assert metrics.metric("matthews", ("no", "yes")).score(gold, one_hot(said, 2)) == pytest.approx(7 / 15, abs=1e-12)


def test_correlations_of_the_worked_example_share_ranks_among_ties():
    x, y = np.array([1.0, 2, 2, 4, 5]), np.array([2.0, 1, 3, 5, 5])
    assert metrics.metric("pearson", ()).score(x, y) == pytest.approx(0.867528, abs=1e-6)
    assert metrics.metric("spearman", ()).score(x, y) == pytest.approx(0.789474, abs=1e-6)


@pytest.mark.parametrize("name", ["matthews", "macro_f1"])
def test_a_constant_prediction_gives_a_number(name):
    value = metrics.metric(name, CLASSES).score(np.array([0, 1, 2, 0]), one_hot([0, 0, 0, 0]))
    assert value == pytest.approx(0.0 if name == "matthews" else 2 / 9)


@pytest.mark.parametrize("name", ["pearson", "spearman", "r2"])
def test_a_constant_prediction_shows_no_association(name):
    values = np.array([0.1, 0.2, 0.3])
    assert metrics.metric(name, ()).score(values, np.full(3, values.mean())) == pytest.approx(0, abs=1e-12)
    assert metrics.metric(name, ()).score(np.full(3, 0.1), values) == 0


def test_pearson_keeps_its_digits_far_from_zero():
    x = np.arange(10.0)
    assert metrics.metric("pearson", ()).score(x + 1e8, 3 * x - 1e8) == pytest.approx(1, abs=1e-9)


def test_a_class_that_nobody_names_is_left_out_of_macro_f1():
    assert metrics.metric("macro_f1", CLASSES).score(np.array([0, 1]), one_hot([0, 1])) == 1


def test_a_misspelt_metric_or_class_gets_a_hint():
    with pytest.raises(BadInput, match="did you mean 'macro_f1'"):
        metrics.metric("makro_f1", CLASSES)
    with pytest.raises(BadInput, match="did you mean 'spam'"):
        metrics.metric("f1:spma", CLASSES)


@pytest.mark.parametrize(("name", "bad"), [("accuracy", np.array([[np.nan, 0, 0]])), ("r2", np.array([np.inf]))])
def test_a_diverged_run_is_refused(name, bad):
    gold = np.array([0]) if name == "accuracy" else np.array([0.5])
    with pytest.raises(ValueError, match="1 of"):
        metrics.metric(name, CLASSES).score(gold, bad)


@pytest.mark.parametrize("items", [0, 3])
def test_items_and_predictions_must_pair_up(items):
    with pytest.raises(ValueError, match="each item needs one of each"):
        metrics.metric("accuracy", CLASSES).score(np.zeros(items, dtype=int), np.zeros((2, 3)))


def test_items_lose_by_the_meaning_of_their_kind():
    assert metrics.errors(np.array([0, 1]), one_hot([0, 0])).tolist() == [0, 1]
    assert metrics.errors(np.array([[True, False]]), np.array([[1.0, 1.0]])).tolist() == [0.5]
    assert metrics.errors(np.array([0.0, 2.0]), np.array([1.0, 9.0])).tolist() == [0.5, 1]
    tags = (np.array([0, 1, 2, 0]), np.array([], dtype=int))
    assert metrics.errors(tags, (np.array([0, 1, 1, 0]), np.array([], dtype=int))).tolist() == [0.25, 0]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_the_order_of_items_and_of_classes_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    gold, predicted = drawn("classification", rng, 12)
    predicted = predicted + rng.random(predicted.shape) / 2
    items, classes = rng.permutation(12), rng.permutation(3)
    for name in ("accuracy", "macro_f1", "micro_f1", "matthews"):
        metric = metrics.metric(name, CLASSES)
        shuffled = metric.score(np.argsort(classes)[gold[items]], predicted[items][:, classes])
        assert shuffled == pytest.approx(metric.score(gold, predicted), abs=1e-12)


@given(seed=st.integers(0, 2**32 - 1), scale=st.floats(0.01, 100), shift=st.floats(-100, 100))
@settings(max_examples=25, deadline=None)
def test_correlations_do_not_change_with_scale_and_shift(seed, scale, shift):
    gold, predicted = drawn("regression", np.random.default_rng(seed), 15)
    for name in ("pearson", "spearman"):
        metric = metrics.metric(name, ())
        assert metric.score(gold, scale * predicted + shift) == pytest.approx(metric.score(gold, predicted), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "classes", "found"),
    [
        ("f1:True", ("false", "true"), 1),
        ("f1:false", ("False", "True"), 0),
        ("f1:True", ("True", "true"), 0),
        ("f1:true", ("True", "true"), 1),
        ("f1:1.0", ("0", "1"), 1),
        ("f1:0", ("0.0", "1.0"), 0),
    ],
)
def test_a_truth_value_or_whole_number_is_found_however_it_is_written(name, classes, found):
    gold = np.array([found, found, 1 - found, 1 - found])
    predicted = one_hot([found, found, found, 1 - found], of=2)
    assert metrics.metric(name, classes).score(gold, predicted) == pytest.approx(0.8)  # of the other: 2/3


def test_other_classes_are_found_as_they_are_written_alone():
    with pytest.raises(BadInput, match="no class 'Spam'"):
        metrics.metric("f1:Spam", CLASSES)


def test_draws_are_moved_to_the_score_where_a_metric_says_that_resamples_are_biased():
    draws = np.array([0.5, 0.7])
    assert metrics.metric("macro_f1", ("no", "yes")).centred(draws, 0.8).tolist() == pytest.approx([0.7, 0.9])
    assert metrics.metric("accuracy", ("no", "yes")).centred(draws, 0.8) is draws
    own = metrics.Metric("own", "own", frozenset(), metrics.metric("accuracy", ()).rule, biased=True)
    assert own.centred(draws, 0.8).mean() == pytest.approx(0.8)
