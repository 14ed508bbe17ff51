"""A rung of the ladder in a folder answers as `predict` writes it."""

import json

import pytest
from tests.representations.test_saved_rung import written

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.rung_predictor import RungPredictor
from wordworth.representations.rung_by_name import rung_of


def in_folder(folder, kind="classification"):
    """A rung in the folder of a model, as a study writes it."""
    _, metadata = written(folder, rung_of("tfidf", kind), kind)
    (folder / "wordworth.json").write_text(json.dumps({"version": 1, "columns": ["text"], **metadata}))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return in_folder(tmp_path_factory.mktemp("rung") / "model")


def test_each_class_has_its_calibrated_probability(folder):
    run = ww.load_run(folder)
    assert isinstance(run.predictor, RungPredictor)
    answers = run.predict(["a lovely superb film", "an awful dreadful dinner", ""])
    shares = answers[[f"probability_{name}" for name in run.classes]]
    assert shares.iloc[0].sum() == pytest.approx(1, abs=1e-3)
    assert list(answers["prediction"][:2]) == [run.classes[number] for number in shares[:2].to_numpy().argmax(1)]


def test_the_lines_of_a_plain_text_are_rows(folder, tmp_path):
    texts = ["a lovely superb film", "an awful dreadful dinner"]
    (tmp_path / "lines.txt").write_text("\n".join(texts) + "\n")
    answers = ww.predict(folder, tmp_path / "lines.txt")
    assert list(answers["text"]) == texts
    assert list(answers["prediction"]) == list(ww.load_run(folder).predict(texts)["prediction"])


def test_a_plain_text_is_refused_for_tags_as_it_may_be_conll(tmp_path):
    (tmp_path / "tags.txt").write_text("Anna B-PER\nsleeps O\n")
    with pytest.raises(BadInput, match=r"unknown kind of file '\.txt'"):
        ww.predict(in_folder(tmp_path / "tags", "tagging"), tmp_path / "tags.txt")


def test_values_and_labels_are_answered_too(tmp_path):
    value = ww.load_run(in_folder(tmp_path / "value", "regression")).predict(["a lovely film"]).prediction[0]
    labels = ww.load_run(in_folder(tmp_path / "labels", "multilabel")).predict(["a lovely film"]).prediction[0]
    assert isinstance(value, float)
    assert isinstance(labels, list | tuple | str)


def test_another_dtype_is_refused_as_nothing_is_computed_in_it(folder):
    with pytest.raises(BadInput, match="frozen features are read in float32"):
        ww.load_run(folder, dtype="bfloat16")
    with pytest.raises(BadInput, match="no dtype 'float'"):
        ww.load_run(folder, dtype="float")


def test_it_is_no_network_to_look_inside_and_no_cross_encoder(folder, tmp_path):
    with pytest.raises(BadInput, match="not a fine-tuned encoder"):
        ww.study_heads(folder, tmp_path / "x.csv")
    with pytest.raises(BadInput, match="does not read two texts together"):
        ww.load_run(folder).rerank("a", ["b"])
