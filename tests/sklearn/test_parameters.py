import numpy as np
import pytest
from sklearn.base import clone

from wordworth.errors import BadInput
from wordworth.sklearn import FineTuning, TextClassifier, TextEncoder, TextRegressor
from wordworth.sklearn.parameters import require_components, require_finetuning, seed_of

TEXTS = ["a good film", "a bad film", "it rained", "sun and rain"]
ESTIMATORS = (TextClassifier, TextRegressor, TextEncoder)


def test_a_whole_number_is_the_seed_itself():
    assert [seed_of(seed) for seed in (0, 7, np.int64(7), 2**32 - 1)] == [0, 7, 7, 2**32 - 1]


def test_a_random_state_gives_another_seed_each_time_and_the_same_ones_again():
    state, again = np.random.RandomState(3), np.random.RandomState(3)
    drawn = [seed_of(state) for _ in range(3)]
    assert len(set(drawn)) == 3
    assert [seed_of(again) for _ in range(3)] == drawn
    assert len({seed_of(None) for _ in range(3)}) == 3


@pytest.mark.parametrize("seed", [None, np.random])
def test_without_a_seed_numpys_global_generator_draws_it_as_in_scikit_learn(monkeypatch, seed):
    monkeypatch.setattr("numpy.random.mtrand._rand", np.random.RandomState(5))
    assert [seed_of(seed)] == [seed_of(np.random.RandomState(5))]


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "0", np.random.default_rng(0), [1]])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_what_is_no_seed_is_refused_by_fit(estimator, seed):
    with pytest.raises(BadInput, match=r"^random_state: .* is no seed; give a whole number from 0 to 4294967295"):
        estimator(random_state=seed).fit(TEXTS, [0, 1, 0, 1])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_an_estimator_fits_with_every_kind_of_seed(estimator):
    for seed in (None, 3, np.random.RandomState(3)):
        model = clone(estimator(rung="random", random_state=seed)).fit(TEXTS, [0, 1, 0, 1])
        assert len((model.transform if estimator is TextEncoder else model.predict)(TEXTS)) == len(TEXTS)


def test_a_random_state_draws_other_vectors_in_every_fit():
    encoder = TextEncoder("random", random_state=np.random.RandomState(0))
    first = encoder.fit_transform(TEXTS)
    assert np.array_equal(encoder.transform(TEXTS), first)
    assert not np.allclose(encoder.fit_transform(TEXTS), first)
    seeded = TextEncoder("random", random_state=seed_of(np.random.RandomState(0)))
    assert np.array_equal(seeded.fit_transform(TEXTS), first)


@pytest.mark.parametrize("count", [0, -1, 2.5, "3"])
def test_what_is_no_number_of_columns_is_refused(count):
    with pytest.raises(BadInput, match=r"^n_components: .* is no number of columns; give a whole number from 1 on"):
        TextEncoder(n_components=count).fit(TEXTS)
    require_components(None)


def test_what_is_no_finetuning_is_refused():
    with pytest.raises(BadInput, match=r"^finetuning: this is of type dict; give a FineTuning of wordworth.sklearn"):
        TextClassifier(finetuning={"epochs": 2}).fit(TEXTS, [0, 1, 0, 1])
    require_finetuning(FineTuning(epochs=2))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_way_to_read_long_texts_that_is_none_is_refused_whatever_the_rung(estimator):
    with pytest.raises(BadInput, match=r"^long_texts: no way to read long texts 'windows'; did you mean 'window'"):
        estimator(long_texts="windows").fit(TEXTS, [0, 1, 0, 1])


@pytest.mark.parametrize("estimator", [TextClassifier, TextRegressor])
def test_a_metric_is_a_name(estimator):
    with pytest.raises(BadInput, match=r"^metric: 3 is no name of a metric; give a name such as"):
        estimator(metric=3).fit(TEXTS, [0, 1, 0, 1])
