"""Our metrics against scikit-learn and scipy (numbers drawn with ties, many classes, rare classes)."""

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics as peer

from wordworth.measures.metrics import metric

SEEDS = range(20)
pytestmark = pytest.mark.peers


def classes(seed, of=5, items=60):
    rng = np.random.default_rng(seed)
    scores = rng.random((items, of))
    return rng.integers(of, size=items), scores, scores.argmax(axis=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_classes_score_as_in_scikit_learn(seed):
    gold, scores, said = classes(seed, items=3 + 5 * seed)
    names = tuple("abcde")
    assert metric("accuracy", names).score(gold, scores) == pytest.approx(peer.accuracy_score(gold, said))
    assert metric("macro_f1", names).score(gold, scores) == pytest.approx(peer.f1_score(gold, said, average="macro"))
    assert metric("micro_f1", names).score(gold, scores) == pytest.approx(peer.f1_score(gold, said, average="micro"))
    assert metric("matthews", names).score(gold, scores) == pytest.approx(peer.matthews_corrcoef(gold, said))
    one = peer.f1_score(gold, said, labels=[2], average="macro", zero_division=0)
    assert metric("f1:c", names).score(gold, scores) == pytest.approx(one)


@pytest.mark.parametrize("seed", SEEDS)
def test_many_labels_score_as_in_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    gold, scores = rng.random((40, 4)) < 0.3, rng.normal(size=(40, 4))
    said, names = scores > 0, tuple("abcd")
    assert metric("accuracy", names).score(gold, scores) == pytest.approx(peer.accuracy_score(gold, said))
    for average in ("macro", "micro"):
        theirs = peer.f1_score(gold, said, average=average)
        assert metric(f"{average}_f1", names).score(gold, scores) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_k_best_labels_score_as_predicted_labels_in_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    gold, scores, k = rng.random((40, 6)) < 0.3, rng.normal(size=(40, 6)), 1 + seed % 6
    said = np.argsort(np.argsort(-scores, axis=1), axis=1) < k
    for name in ("precision", "recall", "f1"):
        theirs = getattr(peer, f"{name}_score")(gold, said, average="micro")
        assert metric(f"{name}@{k}", tuple("abcdef")).score(gold, scores) == pytest.approx(theirs)
    classes_of_texts, every = rng.integers(6, size=40), np.arange(6)
    theirs = peer.top_k_accuracy_score(classes_of_texts, scores, k=k, labels=every) if k < 6 else 1.0
    assert metric(f"recall@{k}", tuple("abcdef")).score(classes_of_texts, scores) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_values_score_as_in_scipy_and_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.random(50) * 5, 1)
    said = np.round(gold + rng.normal(size=50))
    assert metric("pearson", ()).score(gold, said) == pytest.approx(scipy.stats.pearsonr(gold, said).statistic)
    assert metric("spearman", ()).score(gold, said) == pytest.approx(scipy.stats.spearmanr(gold, said).statistic)
    assert metric("r2", ()).score(gold, said) == pytest.approx(peer.r2_score(gold, said))


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_score_as_in_scikit_learn(seed):
    gold, scores, said = classes(seed)
    weights = np.random.default_rng(seed).integers(4, size=60)
    ours = metric("matthews", tuple("abcde")).score(gold, scores, weights[None].astype(float))[0]
    assert ours == pytest.approx(peer.matthews_corrcoef(gold, said, sample_weight=weights))
