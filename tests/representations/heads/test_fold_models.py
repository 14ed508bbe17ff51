"""Models of small folds that are fitted in one batch are those that are fitted fold by fold, the slow way."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from wordworth.representations.feature_blocks import Blocks
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import FoldPlan, cross_validation
from wordworth.representations.heads.fold_models import MOST_ITEMS_IN_BATCH, Candidate, FoldModels
from wordworth.representations.heads.newton_cg import Precision

RNG = np.random.default_rng(0)
CLASSES = ("a", "b", "c")
PRECISE = Precision(tolerance=1e-5, steps=500)
"""Rounding may end a search for the optimum one step earlier; near the optimum that makes no difference."""


def labels(kind, count):
    if kind == "regression":
        return RNG.normal(size=count)
    if kind == "multilabel":
        return RNG.random((count, 3)) < [0.5, 0.2, 0.05]
    return RNG.choice(3, count, p=[0.6, 0.35, 0.05] if kind == "three classes" else [0.6, 0.4, 0.0])


def made_up_folds(kind, count=62, divisions=3):
    """Folds of items with sparse, dense and narrow views."""
    gold = labels(kind, count)
    sparse = csr_matrix(RNG.random((count, 200)) * (RNG.random((count, 200)) < 0.1), dtype=np.float32)
    dense = RNG.normal(size=(count, 80)).astype(np.float32)
    views = {
        "sparse": Blocks.of(sparse),
        "beside": Blocks.of(sparse).times(0.7).hstack(Blocks.of(dense).times(0.1)),
        "dense": dense,
        "narrow": dense[:, :3],
    }
    sort = kind if kind in {"regression", "multilabel"} else "single"
    target = Target(kind=sort, labels=gold, classes=() if sort == "regression" else CLASSES, metric="accuracy")

    def features(training, held_out):
        return {view: of[training] for view, of in views.items()}, {view: of[held_out] for view, of in views.items()}

    plan = FoldPlan(enough=divisions * count, repeats=divisions)
    splits = [split for division in plan.divisions(target, np.random.default_rng(1)) for split in division]
    return cross_validation(features, target, splits)


@pytest.mark.parametrize("kind", ["two classes", "three classes", "multilabel", "regression"])
@pytest.mark.parametrize("view", ["sparse", "beside", "dense", "narrow"])
def test_a_batch_gives_the_scores_of_single_fits(kind, view):
    folds = made_up_folds(kind)
    batched, single = FoldModels(folds, PRECISE), FoldModels(folds, PRECISE, most_in_batch=0)
    assert batched._groups
    assert not single._groups
    for strength in (1.0, 100.0, 10.0):
        together = batched.held_out_scores(Candidate(view, strength))
        alone = single.held_out_scores(Candidate(view, strength))
        assert len(together) == len(folds)
        for one, other, fold in zip(together, alone, folds, strict=True):
            assert one.shape == other.shape == (len(fold.held_out.target), len(CLASSES) if one.shape[1] > 1 else 1)
            np.testing.assert_array_equal(np.isfinite(one), np.isfinite(other))
            seen = np.isfinite(other)
            np.testing.assert_allclose(one[seen], other[seen], atol=0.01 * max(1.0, np.abs(other[seen]).max()))


def test_folds_with_other_classes_are_fitted_in_batches_of_their_own():
    gold = np.array([0] * 14 + [1] * 14 + [2])
    target = Target(kind="single", labels=gold, classes=CLASSES, metric="macro_f1")
    vectors = RNG.normal(size=(29, 50)).astype(np.float32)
    splits = [s for d in FoldPlan(enough=99, repeats=3).divisions(target, np.random.default_rng(0)) for s in d]
    folds = cross_validation(lambda *rows: tuple({"dense": vectors[part]} for part in rows), target, splits)
    models = FoldModels(folds, PRECISE)
    assert sorted(map(len, models._groups)) == [3, 12]
    alone = FoldModels(folds, PRECISE, most_in_batch=0).held_out_scores(Candidate("dense", 10.0))
    for one, other in zip(models.held_out_scores(Candidate("dense", 10.0)), alone, strict=True):
        np.testing.assert_allclose(one[np.isfinite(one)], other[np.isfinite(other)], atol=0.02)


def test_a_fold_with_a_single_class_predicts_it_beside_a_batch():
    gold = np.array([0] * 9 + [1])
    target = Target(kind="single", labels=gold, classes=CLASSES, metric="macro_f1")
    vectors = RNG.normal(size=(10, 20)).astype(np.float32)
    splits = FoldPlan().split(target, np.random.default_rng(0))
    folds = cross_validation(lambda *rows: tuple({"dense": vectors[part]} for part in rows), target, splits)
    scores = FoldModels(folds, PRECISE).held_out_scores(Candidate("dense", 1.0))
    trivial = [len(np.unique(fold.training.target.labels)) == 1 for fold in folds]
    assert sum(trivial) == 1
    assert (scores[trivial.index(True)].argmax(1) == 0).all()


def test_large_folds_and_folds_of_one_kind_alone_are_fitted_one_by_one():
    large = made_up_folds("two classes", count=2 * MOST_ITEMS_IN_BATCH, divisions=1)
    assert not FoldModels(large, PRECISE)._groups
    assert not FoldModels(large[:1], PRECISE, most_in_batch=10_000)._groups
    assert FoldModels(large, PRECISE, most_in_batch=10_000)._groups
