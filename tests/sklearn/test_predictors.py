import shutil
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from sklearn.base import clone
from sklearn.metrics import f1_score, log_loss, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from wordworth.errors import BadInput
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.sklearn import FineTuning, TextClassifier, TextRegressor
from wordworth.tasks.task import Examples, Task
from wordworth.testing.sample_tasks import sample_task

FEW_STEPS = FineTuning(least_steps=20, most_steps=20, least_epochs=0, batch_size=8, budget=20_000)


@pytest.fixture
def rungs(tiny_folder, table_file):
    return ["majority", "tfidf", "random", tiny_folder, table_file, f"tfidf+{tiny_folder}", f"{tiny_folder}-static"]


@pytest.fixture(scope="session")
def valued():
    task = sample_task("regression")
    return list(task.examples.first), task.labels


def test_every_rung_learns_and_gives_classes_and_probabilities(rungs, labelled):
    texts, labels = labelled
    scores = {}
    for rung in rungs:
        model = TextClassifier(rung).fit(texts[:60], labels[:60])
        probabilities = model.predict_proba(texts[60:])
        assert list(model.classes_) == ["bad", "good", "mixed"]
        assert np.allclose(probabilities.sum(1), 1)
        assert (model.predict(texts[60:]) == model.classes_[probabilities.argmax(1)]).all()
        scores[rung] = model.score(texts[60:], labels[60:])
    assert scores["tfidf"] > scores["majority"] + 0.2


def test_the_classifier_is_the_rung_of_the_ladder(labelled):
    texts, labels = labelled
    classes, indices = np.unique(labels, return_inverse=True)
    rows = np.arange(len(texts))
    task = Task("t", "classification", Examples(tuple(texts)), indices, tuple(classes), rows, rows[:0], "accuracy")
    ladder = RepresentationRung(Tfidf()).prepare(task, RunContext()).fit(rows, np.random.default_rng(0))
    ours = TextClassifier("tfidf").fit(texts, labels)
    assert dict(ours.chosen_) == dict(ladder.chosen)
    scores = ladder.predict_texts(Examples(tuple(texts[:9])))
    assert ours.calibration_ == ladder.calibration
    assert ours.calibration_.held_out == len(texts)
    assert np.array_equal(ours.predict_proba(texts[:9]), softmax(scores / ladder.calibration.temperature, axis=1))


@pytest.mark.parametrize("form", ["{}", "tfidf+{}", "{}-finetuned"])
def test_a_folder_of_a_model_may_be_renamed(form, tiny_folder, labelled, tmp_path, monkeypatch):
    texts, labels = labelled
    shutil.copytree(tiny_folder, tmp_path / "renamed")
    monkeypatch.chdir(tmp_path)
    first, second = (
        TextClassifier(form.format(model), finetuning=FEW_STEPS).fit(texts[:60], labels[:60]).predict_proba(texts)
        for model in (tiny_folder, "./renamed")
    )
    assert np.array_equal(first, second)


def test_the_logarithms_of_probabilities_are_theirs_and_finite(labelled):
    texts, labels = labelled
    model = TextClassifier("tfidf").fit(texts, labels)
    assert np.allclose(np.exp(model.predict_log_proba(texts)), model.predict_proba(texts))
    assert model.predict_log_proba(texts).shape == (len(texts), 3)


def test_the_name_of_the_column_is_kept_and_another_is_refused(labelled, valued):
    texts, labels = labelled
    for model, target in ((TextClassifier("tfidf"), labels), (TextRegressor("tfidf"), valued[1])):
        column = texts if target is labels else valued[0]
        model.fit(pd.DataFrame({"review": column}), target)
        assert model.feature_names_in_.tolist() == ["review"]
        expected = model.predict(column[:5])
        assert (model.predict(pd.DataFrame({"review": column[:5]})) == expected).all()
        with pytest.raises(ValueError, match=r"'title'.*fitted on 'review'"):
            model.predict(pd.DataFrame({"title": column[:5]}))
        assert not hasattr(model.fit(column, target), "feature_names_in_")


def test_every_rung_predicts_numbers(rungs, valued):
    texts, values = valued
    for rung in rungs:
        predicted = TextRegressor(rung).fit(texts, values).predict(texts[:5])
        assert predicted.shape == (5,)
        assert np.isfinite(predicted).all()
    model = TextRegressor("tfidf").fit(texts[:60], values[:60])
    assert model.score(texts[60:], values[60:]) == pytest.approx(r2_score(values[60:], model.predict(texts[60:])))
    assert model.score(texts[60:], values[60:]) > 0.3


def test_labels_of_any_kind_come_back_as_they_were(labelled):
    texts, labels = labelled
    numbers = np.array([{"bad": 7, "good": -1, "mixed": 3}[label] for label in labels])
    by_name, by_number = TextClassifier().fit(texts, labels), TextClassifier().fit(texts, numbers)
    assert by_number.classes_.tolist() == [-1, 3, 7]
    assert by_number.predict(texts).dtype == numbers.dtype
    back = {7: "bad", -1: "good", 3: "mixed"}
    assert [back[number] for number in by_number.predict(texts)] == by_name.predict(texts).tolist()
    assert TextClassifier().fit(texts, pd.Series(labels).astype("category")).predict(texts[:1])[0] in labels
    truths = np.array(labels) == "good"
    assert set(TextClassifier().fit(texts, truths).predict(texts)) <= {True, False}


def test_a_fine_tuned_encoder_passes_over_few_texts_as_often_as_its_epochs_say(tiny_folder, labelled):
    texts, labels = (column[:40] for column in labelled)
    model = TextClassifier(f"{tiny_folder}-finetuned", finetuning=FineTuning(epochs=2, batch_size=8)).fit(texts, labels)
    assert (model.chosen_["steps"], model.chosen_["epochs"]) == (10, 2)


def test_fine_tuning_predicts_numbers(tiny_folder, valued):
    model = TextRegressor(f"{tiny_folder}-finetuned", finetuning=FEW_STEPS).fit(*valued)
    assert model.predict(valued[0][:4]).shape == (4,)


def test_the_metric_decides_how_far_scores_lean_towards_rare_classes():
    rng = np.random.default_rng(0)
    shares = {"common": (0.4, 0.3, 0.3), "rare": (0.2, 0.3, 0.5)}
    labels = ["rare" if number % 10 == 0 else "common" for number in range(300)]
    texts = [" ".join(rng.choice(["alpha", "beta", "gamma"], 3, p=shares[label])) for label in labels]
    plain = TextClassifier(metric="accuracy").fit(texts[:200], labels[:200])
    leaning = TextClassifier(metric="macro_f1").fit(texts[:200], labels[:200])
    assert plain.chosen_["tau"] == 0
    assert leaning.chosen_["tau"] != 0
    macro = [f1_score(labels[200:], model.predict(texts[200:]), average="macro") for model in (plain, leaning)]
    assert macro[1] >= macro[0]
    losses = [log_loss(labels[200:], model.predict_proba(texts[200:])) for model in (plain, leaning)]
    assert losses[1] == pytest.approx(losses[0], abs=0.05)  # softmax of the leaning scores: 0.2 more


def test_a_grid_over_rungs_and_a_pipeline_work(tiny_folder, table_file, labelled):
    texts, labels = labelled
    search = GridSearchCV(TextClassifier(), {"rung": ["majority", "tfidf", table_file, tiny_folder]}, cv=2)
    search.fit(texts, labels)
    assert search.best_params_["rung"] != "majority"
    assert list(search.predict(texts[:2])) == list(search.best_estimator_.predict(texts[:2]))
    lower = FunctionTransformer(lambda column: [text.upper() for text in column])
    assert cross_val_score(make_pipeline(lower, TextClassifier()), texts, labels, cv=2).shape == (2,)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_grid_runs_with_several_jobs_and_without_a_warning(tiny_folder, labelled, backend):
    texts, labels = labelled
    rungs = {"rung": ["tfidf", tiny_folder]}
    alone = GridSearchCV(TextClassifier(), rungs, cv=2).fit(texts, labels)
    with warnings.catch_warnings(), joblib.parallel_config(backend):
        warnings.simplefilter("error")
        search = GridSearchCV(TextClassifier(), rungs, cv=2, n_jobs=2).fit(texts, labels)
    assert list(search.cv_results_["mean_test_score"]) == list(alone.cv_results_["mean_test_score"])


def test_a_clone_has_the_same_settings():
    model = TextClassifier("glove", metric="macro_f1", finetuning=FEW_STEPS, random_state=3)
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize(
    ("settings", "texts", "labels", "message"),
    [
        ({"rung": "nothing-of-this-name"}, ["a", "b"], [0, 1], "no rung is called"),
        ({"metric": "r2"}, ["a", "b"], [0, 1], "does not measure a task of kind classification"),
        ({"metric": "acuracy"}, ["a", "b"], [0, 1], "did you mean 'accuracy'"),
        ({}, ["a", "b"], [0], "2 texts, but 1 labels"),
        ({}, ["a", "b"], None, "requires y to be passed"),
        ({}, [], [], "found 0 texts"),
        ({}, ["a", "b"], ["x", "x"], "the labels are all of one class, 'x'; give texts of two classes or more"),
        ({"rung": "majority"}, ["a"], [1], "the labels are all of one class, 1"),
        ({}, "a text", [0], "put it in a list"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_line(settings, texts, labels, message):
    with pytest.raises(BadInput, match=message) as caught:
        TextClassifier(**settings).fit(texts, labels)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_missing_labels_are_refused():
    with pytest.raises(ValueError, match="y contains NaN"):
        TextClassifier().fit(["a", "b"], [1.0, np.nan])
    with pytest.raises(ValueError, match="y contains NaN"):
        TextRegressor().fit(["a", "b"], [1.0, np.nan])
