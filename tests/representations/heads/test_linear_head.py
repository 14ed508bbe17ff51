from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random_array
from sklearn.linear_model import LogisticRegression
from tests.representations.heads.fit_head import fit_head
from threadpoolctl import threadpool_limits

from wordworth.representations.feature_blocks import Scaling
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearChoice, LinearHead
from wordworth.representations.heads.newton_cg import Precision

ONE_STRENGTH = LinearHead(strengths=(10.0,))


def blobs(n=120, classes=3, seed=0, width=8):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    return (rng.normal(size=(n, width)) + 2 * np.eye(classes, width)[labels]).astype(np.float32), labels


def target(labels, classes=3, metric="accuracy", kind="single", lengths=None):
    return Target(kind=kind, labels=labels, classes=tuple("abcdefgh"[:classes]), metric=metric, lengths=lengths)


def fit(views, wanted, head=ONE_STRENGTH, seed=0):
    return fit_head(head, views, wanted, np.random.default_rng(seed))


def test_it_separates_what_a_line_separates():
    features, labels = blobs()
    assert (fit({"v": features}, target(labels), LinearHead()).predict(features).argmax(1) == labels).mean() > 0.85


@pytest.mark.parametrize("dense", [True, False])
def test_it_is_the_logistic_regression_of_scaled_features(dense):
    features, labels = blobs()
    features = features if dense else csr_matrix(np.maximum(features, 0))
    scaled = Scaling.of(features)(features).toarray()
    plain = LogisticRegression(C=10.0, solver="lbfgs", tol=1e-10, max_iter=5000).fit(scaled, labels)
    said = fit({"v": features}, target(labels), LinearHead(strengths=(10.0,), precision=Precision(tolerance=1e-4)))
    shift = said.predict(features) - plain.decision_function(scaled)
    assert np.abs(shift - shift.mean(1, keepdims=True)).max() < 5e-3  # scores reach 10; features are float32


def test_many_weak_features_do_not_stop_the_solver_before_its_first_step():
    """Each of 20,000 features has a slope far below any usual absolute tolerance; together they tell."""
    rng = np.random.default_rng(0)
    labels = np.arange(400) % 2
    counts = random_array((400, 20_000), density=0.01, rng=rng).tocsr()
    counts.data[:] = 1
    shifted = csr_matrix(
        (counts.data, (counts.indices + 1) // 2 * 2 - labels.repeat(np.diff(counts.indptr)) % 2 + 1, counts.indptr),
        shape=(400, 20_003),
    )
    said = fit({"v": shifted}, target(labels, 2))
    assert np.abs(said.model.weights).max() > 0
    assert (said.predict(shifted).argmax(1) == labels).mean() > 0.95


def test_a_class_never_seen_is_never_predicted():
    features, labels = blobs()
    scores = fit({"v": features[labels != 1]}, target(labels[labels != 1])).predict(features)
    assert np.isneginf(scores[:, 1]).all()
    assert not np.isnan(scores).any()


@pytest.mark.parametrize("labels", [[2], [1, 1, 1], [0, 1], [0, 0, 0, 0, 0, 0, 0, 2]])
def test_very_few_labels_still_give_an_answer(labels):
    features, _ = blobs()
    said = fit({"v": features[: len(labels)]}, target(np.array(labels)), LinearHead()).predict(features)
    assert set(said.argmax(1)) <= set(labels)


def test_the_view_that_tells_is_chosen():
    features, labels = blobs(n=200)
    noise = np.random.default_rng(1).normal(size=features.shape).astype(np.float32)
    for views in ({"noise": noise, "telling": features}, {"telling": features, "noise": noise}):
        assert fit(views, target(labels), LinearHead()).chosen["view"] == "telling"


def test_the_first_view_is_chosen_unless_another_scores_clearly_higher():
    rng = np.random.default_rng(0)
    labels = np.arange(200) % 2
    first, second = (rng.normal(size=(200, 3)).astype(np.float32) + 1.2 * labels[:, None] for _ in range(2))
    for views in ({"a": first, "b": second}, {"b": second, "a": first}):  # equally good but for chance
        assert fit(views, target(labels), LinearHead()).chosen["view"] == next(iter(views))
    choices = [fit({"a": first, "b": second}, target(labels), LinearHead(margin=-1)).chosen["view"]]
    assert choices == ["b"]  # a margin below 0 is against the first view
    better = np.hstack([first, second])
    assert fit({"a": first, "both": better}, target(labels), LinearHead()).chosen["view"] == "both"


def rare_class(count=600, seed=0):
    """One class in seven, hardly told from the others."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(count) < 0.15).astype(int)
    return (rng.normal(size=(count, 3)) + 0.7 * labels[:, None]).astype(np.float32), labels


def test_a_rare_class_is_given_more_often_where_the_metric_asks_for_it():
    features, labels = rare_class()
    adjusted = fit({"v": features}, target(labels, 2, "f1:b"), LinearHead())
    plain = fit({"v": features}, target(labels, 2, "accuracy"), LinearHead())
    assert adjusted.chosen["tau"] > 0
    assert plain.chosen["tau"] == 0
    assert adjusted.predict(features).argmax(1).sum() > plain.predict(features).argmax(1).sum()


@pytest.mark.parametrize("wanted", ["f1:b", "macro_f1"])
def test_the_adjustment_gains_on_texts_that_nobody_chose_by(wanted):
    features, labels = rare_class()
    new, gold = rare_class(count=5000, seed=1)
    fitted = fit({"v": features}, target(labels, 2, wanted), LinearHead())
    plain = LinearHead().learn({"v": features}, target(labels, 2, wanted), replace_tau(fitted.chosen, 0.0))
    judged = target(gold, 2, wanted)
    assert judged.score(fitted.predict(new)) > judged.score(plain.predict(new)) + 0.1


def replace_tau(chosen, tau):
    return LinearChoice(view=chosen["view"], strength=chosen["strength"], tau=tau)


def test_many_labels_are_given_where_the_score_is_above_zero():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 4)).astype(np.float32)
    given = np.column_stack([features[:, 0] > 0, features[:, 1] > 1, np.zeros(200, bool), np.ones(200, bool)])
    said = fit({"v": features}, target(given, 4, "micro_f1", "multilabel")).predict(features) > 0
    assert (said[:, :2] == given[:, :2]).mean() > 0.9
    assert not said[:, 2].any()
    assert said[:, 3].all()


@pytest.mark.parametrize("sparse", [False, True])
def test_numbers_are_predicted_on_their_own_scale(sparse):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 5)).astype(np.float32)
    values = 1000 + 50 * features[:, 0] + rng.normal(size=200)
    views = {"v": csr_matrix(features) if sparse else features}
    said = fit(views, target(values, 0, "pearson", "regression"), LinearHead(strengths=(100.0,))).predict(views["v"])
    assert np.abs(said - values).mean() < 10


def test_constant_numbers_are_predicted_as_they_are():
    features, _ = blobs(n=10)
    said = fit({"v": features}, target(np.full(10, 3.5), 0, "pearson", "regression"), LinearHead()).predict(features)
    assert said == pytest.approx(np.full(10, 3.5))


def test_tags_are_given_word_by_word_and_cut_into_sentences():
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 6, 60)
    words, tags = blobs(int(lengths.sum()), 3)
    gold = tuple(np.split(tags, np.cumsum(lengths)[:-1]))
    wanted = Target(kind="tags", labels=gold, classes=("B-x", "I-x", "O"), metric="token_accuracy", lengths=lengths)
    said = fit({"v": words}, wanted).predict(words, lengths)
    assert [len(one) for one in said] == lengths.tolist()
    assert np.mean(np.concatenate(said) == tags) > 0.85


def test_columns_that_are_zero_everywhere_change_nothing():
    sparse = csr_matrix(random_array((80, 30), density=0.2, rng=np.random.default_rng(0)))
    wide = csr_matrix((sparse.data, sparse.indices * 3, sparse.indptr), shape=(80, 100))
    labels = np.arange(80) % 3
    narrow, padded = fit({"v": sparse}, target(labels)), fit({"v": wide}, target(labels))
    assert np.allclose(narrow.predict(sparse), padded.predict(wide), atol=1e-6)


def test_one_thread_and_two_give_the_same_bytes():
    features, labels = blobs(n=400, width=300)
    views = {"v": features, "w": csr_matrix(np.maximum(features, 0))}

    def scores(seed):
        return fit(views, target(labels), LinearHead(), seed).predict(features).tobytes()

    with threadpool_limits(1):
        alone = [scores(seed) for seed in range(4)]
    with threadpool_limits(2), ThreadPoolExecutor(2) as pool:
        together = list(pool.map(scores, range(4)))
    assert alone == together


def test_dense_columns_are_standardised_and_dead_ones_silenced():
    features = np.column_stack([np.arange(10.0), np.full(10, 1e6), 1000 * np.arange(10.0)]).astype(np.float32)
    scaled = Scaling.of(features)(features).toarray()
    assert scaled[:, 0] == pytest.approx(scaled[:, 2], abs=1e-6)
    assert not scaled[:, 1].any()
    assert (scaled**2).sum(1).mean() == pytest.approx(1)


@pytest.mark.parametrize(("metric", "divisions"), [("accuracy", 1), ("macro_f1", 5), ("f1:b", 5), ("matthews", 5)])
def test_metrics_that_rare_classes_decide_are_judged_by_several_divisions_of_few_items(metric, divisions):
    features, labels = rare_class(100)
    requested = []

    def of_fold(training, held_out):
        requested.append(len(held_out))
        return {"v": features[training]}, {"v": features[held_out]}

    choice = LinearHead().choose(of_fold, target(labels, 2, metric), np.random.default_rng(0))
    assert sum(requested) == 100 * divisions
    assert choice.calibration.held_out == 100  # each item counts once in probabilities and prediction sets


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_every_item_may_take_part_in_the_choice(metric):
    labels = np.arange(1500) % 2
    requested = []

    def of_fold(training, held_out):
        requested.append(len(training) + len(held_out))
        return {"a": labels[training, None] * 1.0}, {"a": labels[held_out, None] * 1.0}

    assert LinearHead().max_selection_items is None
    LinearHead().choose(of_fold, target(labels, 2, metric), np.random.default_rng(0))
    assert set(requested) == {1500}


def test_numbers_have_no_margin_for_the_first_view():
    rng = np.random.default_rng(0)
    values = rng.normal(size=200).astype(np.float32)
    first, second = (
        np.column_stack([values + noise * rng.normal(size=200)]).astype(np.float32) for noise in (0.6, 0.5)
    )
    head = LinearHead(margin=100)  # with a margin, no other view could ever be selected
    assert fit({"a": first, "b": second}, target(values, 0, "pearson", "regression"), head).chosen["view"] == "b"
    classes = target((values > 0).astype(int), 2)
    assert fit({"a": first, "b": second}, classes, head).chosen["view"] == "a"


def test_a_view_of_numbers_is_compared_by_its_best_strength_and_another_by_its_two_best():
    candidates = {"flat": (0.5, 0.5, 0.5), "peaked": (0.1, 0.6, 0.1)}

    class Search:
        views = tuple(candidates)
        taus = (0.0,)

        def selection_scores(self, each):
            strengths = LinearHead().screening
            return np.array([[candidates[view][strengths.index(strength)]] for view, strength in each])

    views = [LinearHead()._screened(Search(), 0.0, best_scores).view for best_scores in (1, 2)]
    assert views == ["peaked", "flat"]


def test_a_fit_reports_how_much_of_its_search_is_done_and_learns_the_same():
    reported = []
    features, labels = blobs()
    silent = fit({"a": features, "b": features[:, :4]}, target(labels), LinearHead())
    head = LinearHead().with_progress(reported.append)
    reporting = fit({"a": features, "b": features[:, :4]}, target(labels), head)
    assert reporting.chosen == silent.chosen
    assert len(reported) >= 2 * len(LinearHead().screening)
    assert 0.6 < sum(reported) < 1.5
    assert LinearHead().with_progress(reported.append) == LinearHead()
    assert repr(LinearHead().with_progress(reported.append)) == repr(LinearHead())
