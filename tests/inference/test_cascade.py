"""A cascade answers as its first model where that is sure, and as its second one elsewhere."""

import json

import numpy as np
import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.cascade import FIRST, SECOND, confidence, require_pair, write_cascade
from wordworth.inference.read_predictor import needs_torch, read_predictor

TEXTS = ["a lovely superb film", "an awful dreadful dinner", "it was quite a hotel", "the book and the song"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return in_folder(folder / "rung"), write_tuned(folder, steps=3)


def written(folder, runs, threshold):
    facts = read_predictor(runs[0]).facts
    write_cascade(folder / "model", runs, facts, {"threshold": threshold})
    return ww.load_run(folder, dtype="float32")


def test_only_unsure_texts_reach_the_second_model(runs, tmp_path):
    first, second = (read_predictor(run, dtype="float32") for run in runs)
    sure = confidence(first.answers(_examples(TEXTS)))
    threshold = float(np.median(sure))
    answers = written(tmp_path, runs, threshold).predictor.answers(_examples(TEXTS))
    for text, answer, by_first in zip(TEXTS, answers, sure, strict=True):
        model = first if by_first >= threshold else second
        assert answer == model.answers(_examples([text]))[0]


@pytest.mark.parametrize(("threshold", "which"), [(0.0, 0), (2.0, 1)])
def test_a_threshold_at_either_end_is_one_model_alone(runs, tmp_path, threshold, which):
    cascade = written(tmp_path, runs, threshold)
    alone = ww.load_run(runs[which], dtype="float32")
    assert list(cascade.predict(TEXTS)["prediction"]) == list(alone.predict(TEXTS)["prediction"])


def test_the_folder_stands_alone(runs, tmp_path):
    written(tmp_path, runs, 0.5)
    assert {path.name for path in (tmp_path / "model").iterdir()} == {FIRST, SECOND, "wordworth.json"}
    assert needs_torch(tmp_path / "model")


def test_models_of_other_classes_are_no_cascade(runs, tmp_path):
    first = read_predictor(runs[0])
    with pytest.raises(BadInput, match="the models differ in 'kind'"):
        require_pair(first, read_predictor(write_tuned(tmp_path, kind="pair", steps=1)))
    with pytest.raises(BadInput, match="needs a probability for each class, and regression has none"):
        require_pair(*[read_predictor(in_folder(tmp_path / "value", "regression"))] * 2)


@pytest.mark.parametrize("threshold", [None, "high"])
def test_a_damaged_threshold_is_one_clear_error(runs, tmp_path, threshold):
    written(tmp_path, runs, 0.5)
    path = tmp_path / "model" / "wordworth.json"
    facts = json.loads(path.read_text())
    facts["cascade"] = {"threshold": threshold}
    path.write_text(json.dumps(facts))
    with pytest.raises(BadInput, match="threshold"):
        ww.load_run(tmp_path)


def _examples(texts):
    from wordworth.tasks.task import Examples

    return Examples(tuple(texts))
