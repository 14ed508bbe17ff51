"""The inputs that a fine-tuned model takes, by their form."""

import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.serving.predictor_adapter import RunPredictor


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    return RunPredictor.read(write_tuned(tmp_path_factory.mktemp("single"), steps=2), "float32")


def test_a_text_is_one_row_and_a_list_is_several(single):
    assert [row.cells for row in single.rows("a b")[0]] == [{"text": "a b"}]
    rows, are_several = single.rows(["a", ["b"], {"text": "c"}])
    assert are_several
    assert [row.cells for row in rows] == [{"text": "a"}, {"text": "b"}, {"text": "c"}]


@pytest.mark.parametrize("inputs", [3, None, [3], [["a", 3]], [[]]])
def test_what_is_no_row_is_refused(single, inputs):
    with pytest.raises(BadInput, match=r"inputs.*(give a text|is neither)"):
        single.rows(inputs)


@pytest.mark.parametrize("row", [{"text": ["a", "b"]}, {"text": {"a": 1}}, {"words": ["a", "b"]}])
def test_a_field_of_a_text_that_holds_a_list_or_an_object_is_refused(single, row):
    with pytest.raises(BadInput, match=r"inputs\[0\]: the field '(text|words)' holds no text; give one text in it"):
        single.rows([row])
    assert single.rows([{"text": "a", "tags": ["x"]}, {"text": 3}])[0][1].cells == {"text": "3"}


def test_a_row_without_its_column_is_refused(single):
    with pytest.raises(BadInput, match=r"this object has no field for the text; name it '\w+'; available: 'other'$"):
        single.require_columns(single.rows({"other": "a"})[0])


@pytest.mark.parametrize("inputs", ["", "  ", {"text": None}, ["a", ""]])
def test_a_row_without_a_text_is_refused_as_predict_gives_it_no_answer(single, inputs):
    with pytest.raises(BadInput, match="without a text"):
        single.require_columns(single.rows(inputs)[0])


def test_a_second_text_is_refused_by_a_model_of_one(single):
    with pytest.raises(BadInput, match="2 texts, and this model reads one"):
        single.rows([["a", "b"]])


def test_longer_rows_cost_more(single):
    short, long = single.costs(single.rows(["a", "a b " * 30])[0])
    assert long > short > 0


def test_a_pair_is_one_row(single, monkeypatch):
    monkeypatch.setattr(type(single.predictor), "pairs", True)
    rows, are_several = single.rows(["a", "b"])
    assert not are_several
    assert rows[0].cells == {"text": "a", "text_b": "b"}
    for inputs in ("a", ["a"], [["a"]]):
        with pytest.raises(BadInput, match="one text, and this model reads a pair; give both"):
            single.rows(inputs)


def test_a_rung_without_an_encoder_computes_in_one_thread_and_takes_no_other_dtype(tmp_path):
    study = in_folder(tmp_path / "model").parent
    rung = RunPredictor.read(study, "auto")
    assert rung.threads == 1
    assert rung.fingerprint() == RunPredictor.read(study, "float32").fingerprint()
    with pytest.raises(BadInput, match="float32"):
        RunPredictor.read(study, "bfloat16")
