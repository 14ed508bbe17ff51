import pickle
import shutil

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.sklearn import TextClassifier, fitted_representation
from wordworth.sklearn.fitted_predictor import HeadOnFeatures, WholePredictor, as_fitted
from wordworth.testing.sample_tasks import sample_task

FEW_STEPS = FineTuning(least_steps=20, most_steps=20, least_epochs=0, batch_size=8, budget=20_000)


@pytest.fixture
def rungs(tiny_folder, table_file):
    return ["majority", "tfidf", "random", tiny_folder, table_file, f"tfidf+{tiny_folder}", f"{tiny_folder}-static"]


def test_a_rung_over_a_relative_folder_is_pickled_for_any_directory(tiny_folder, labelled, tmp_path, monkeypatch):
    texts, labels = labelled
    shutil.copytree(tiny_folder, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    model = TextClassifier("tfidf+mine").fit(texts[:60], labels[:60])
    expected, kept = model.predict_proba(texts[:9]), pickle.dumps(model)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    fitted_representation.pretrained.cache_clear()
    assert np.array_equal(pickle.loads(kept).predict_proba(texts[:9]), expected)  # noqa: S301 - our own bytes


def test_a_pickle_holds_the_head_and_no_weights(rungs, labelled):
    texts, labels = labelled
    for rung in rungs:
        if rung.endswith("-static"):
            continue
        model = TextClassifier(rung).fit(texts, labels)
        kept = pickle.dumps(model)
        assert len(kept) < 60_000  # the tiny encoder's weights alone are more
        fitted_representation.pretrained.cache_clear()
        assert np.array_equal(
            pickle.loads(kept).predict_proba(texts),  # noqa: S301 - our own
            model.predict_proba(texts),
        )


def test_a_few_shot_encoder_answers_and_refuses_to_be_pickled(tiny_folder, labelled):
    texts, labels = labelled
    model = TextClassifier(f"{tiny_folder}-fewshot", random_state=0).fit(texts[:8], labels[:8])
    assert set(model.predict(texts)) <= set(labels[:8])
    with pytest.raises(BadInput, match="weights are not pickled; fit it again"):
        pickle.dumps(model)


def test_a_fine_tuned_encoder_learns_and_refuses_to_be_pickled(tiny_folder, labelled):
    texts, labels = labelled
    model = TextClassifier(f"{tiny_folder}-finetuned", finetuning=FEW_STEPS).fit(texts, labels)
    assert model.predict_proba(texts[:4]).shape == (4, 3)
    assert model.chosen_["steps"] == 20
    with pytest.raises(BadInput, match=r"weights are not pickled; write it to a folder with wordworth.finetune"):
        pickle.dumps(model)


def test_a_fitted_rung_in_the_form_of_an_estimator_predicts_what_it_predicts():
    task = sample_task("classification")
    for rung, form in ((RepresentationRung(Tfidf()), HeadOnFeatures), (Majority(), WholePredictor)):
        predictor = rung.prepare(task, RunContext()).fit(task.train, np.random.default_rng(0))
        fitted = as_fitted(rung.name, RunContext(), predictor)
        assert isinstance(fitted, form)
        assert fitted.chosen == predictor.chosen
        texts = task.examples.take(task.test)
        assert np.allclose(fitted.predict(texts.first, "window"), predictor.predict_texts(texts), atol=1e-6)
        again = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own
        assert np.allclose(again.predict(texts.first, "window"), predictor.predict_texts(texts), atol=1e-6)
