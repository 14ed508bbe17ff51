"""A graph's folder has what onnxruntime needs, and no second copy of the weights."""

import pytest
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput


@pytest.mark.parametrize(("make", "output"), [(write_tuned, "logits"), (write_tiny, "sentence_embedding")])
def test_it_holds_its_weights_alone(tmp_path, make, output):
    pytest.importorskip("onnx")
    folder = ww.export(make(tmp_path / "model"), tmp_path / "graph", to="onnx")
    names = {path.name for path in folder.iterdir()}
    assert {"model.onnx", "tokenizer.json", "config.json", "README.md"} <= names
    assert not any(name.endswith(".safetensors") for name in names)
    assert f"`{output}`" in (folder / "README.md").read_text()


def test_a_model_without_a_graph_is_refused_with_its_folder_and_an_option_of_export(tmp_path):
    pytest.importorskip("onnx")
    run = write_tuned(tmp_path / "run", pooling="weightedmean", steps=2)
    with pytest.raises(BadInput, match="pooling 'weightedmean' is not exported to ONNX; give `to` sent") as error:
        ww.export(run, tmp_path / "graph", to="onnx")
    assert error.value.where == str(run)
