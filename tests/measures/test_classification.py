import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from wordworth.measures.bootstrap import interval, item_weights
from wordworth.measures.classification import centred, fit_threshold, macro_f1, matthews

pairs = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=30)


@given(pairs)
@settings(max_examples=60, deadline=None)
def test_no_other_threshold_is_right_more_often(rows):
    scores, gold = np.array([float(a) for a, _ in rows]), np.array([b for _, b in rows])
    right = ((scores >= fit_threshold(scores, gold)) == gold).mean()
    others = [((scores >= edge) == gold).mean() for edge in (*np.arange(-6, 7, 0.5), np.inf, -np.inf)]
    assert right == max(others)


def test_it_lies_in_the_middle_between_no_and_yes():
    assert fit_threshold(np.array([0.1, 0.3, 0.7, 0.9]), np.array([False, False, True, True])) == pytest.approx(0.5)


def test_scores_that_are_all_equal_leave_only_the_commoner_answer():
    assert fit_threshold(np.ones(5), np.array([True, True, True, False, False])) == -np.inf
    assert fit_threshold(np.ones(3), np.array([True, False, False])) == np.inf


def test_without_scores_there_is_no_threshold():
    with pytest.raises(ValueError, match="needs scores"):
        fit_threshold(np.zeros(0), np.zeros(0, bool))


def test_the_interval_of_macro_f1_with_many_rare_classes_covers_the_mean_score_of_such_samples():
    rng = np.random.default_rng(0)
    classes, items, samples, covered, before = 150, 1000, 60, 0, 0
    share = 1 / np.arange(1, classes + 1) ** 0.7
    share, right = share / share.sum(), rng.beta(6, 2, classes)
    scores, spans = [], []
    for _ in range(samples):
        gold = rng.choice(classes, items, p=share)
        said = np.where(rng.random(items) < right[gold], gold, rng.choice(classes, items, p=share))
        predicted = np.eye(classes)[said]
        score = macro_f1(gold, predicted, np.ones((1, items)))[0]
        assert score == pytest.approx(f1_score(gold, said, average="macro"))
        draws = macro_f1(gold, predicted, item_weights(items, 200, rng))
        scores.append(score)
        spans.append((interval(centred(draws, score)), interval(draws)))
    mean = np.mean(scores)
    covered = np.mean([mean in span for span, _ in spans])
    before = np.mean([mean in span for _, span in spans])
    assert all(score in span for score, (span, _) in zip(scores, spans, strict=True))
    assert covered >= 0.9 > before


def test_centred_draws_of_macro_f1_end_at_the_best_score():
    assert centred(np.array([0.5, 0.9, 1.0]), 0.95).tolist() == pytest.approx([0.65, 1.0, 1.0])


def test_one_predicted_class_has_no_matthews_correlation_whatever_the_weights():
    """Sums of fractions in two orders differ by rounding, which must not become the root of a negative number."""
    rng = np.random.default_rng(0)
    gold, weights = rng.integers(2, size=60), rng.random((500, 60)) * rng.integers(0, 3, (500, 60))
    assert matthews(gold, np.tile([1.0, 0.0], (60, 1)), weights) == pytest.approx(np.zeros(500), abs=1e-6)
