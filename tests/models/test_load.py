"""`load` finds what a name stands for, and says what is wrong where it stands for nothing."""

import builtins
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput, MissingExtra, NotEnoughMemory
from wordworth.models.load import EncoderSpec, require_device


def test_a_folder_is_an_encoder_named_as_the_folder(tmp_path):
    folder = write_tiny(tmp_path / "mine")
    for given in (folder, str(folder)):
        encoder = ww.load(given)
        assert (encoder.name, encoder.width, encoder.depth, encoder.max_length) == ("mine", 32, 2, 24)
        assert encoder.encode(["the cab"]).dtype == np.float32


def test_threads_are_set_where_asked_for(tmp_path):
    before = torch.get_num_threads()
    try:
        ww.load(write_tiny(tmp_path / "mine"), threads=1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.slow
def test_a_spec_opens_the_same_encoder_in_another_process(tmp_path):
    spec = EncoderSpec(name=str(write_tiny(tmp_path / "mine")), threads=1)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(embed_elsewhere, spec, ["the cab"]).result()
    assert np.allclose(there, ww.load(spec.name).encode(["the cab"]), atol=1e-6)
    (tmp_path / "table.txt").write_text("the 1 2\ncab 3 4\n")
    with pytest.raises(BadInput, match="is a static table"):
        EncoderSpec(name=str(tmp_path / "table.txt")).open()


def embed_elsewhere(spec: EncoderSpec, texts: list[str]) -> np.ndarray:
    return spec.open().encode(texts)


@pytest.mark.parametrize("name", ["minlm", "nowhere/at-all", "./nowhere"])
def test_a_name_that_stands_for_nothing_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=name):
        ww.load(name)


def test_an_unknown_dtype_is_told_the_nearest(tmp_path):
    with pytest.raises(BadInput, match="did you mean 'float32'"):
        ww.load(write_tiny(tmp_path / "mine"), dtype="float3")


def test_an_encoder_computes_on_the_device_that_is_named(tmp_path):
    folder = write_tiny(tmp_path / "mine")
    assert ww.load(folder, device="cpu").model.device.type == "cpu"
    for device in ("cuda:99", "abacus"):
        with pytest.raises(BadInput, match="no device"):
            ww.load(folder, device=device)


def test_without_torch_the_line_that_installs_it_is_told(tmp_path, monkeypatch):
    folder, real = write_tiny(tmp_path / "mine"), builtins.__import__

    def without_torch(name, *rest, **more):
        if name.split(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return real(name, *rest, **more)

    for name in [name for name in sys.modules if name.startswith("wordworth.models.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without_torch)
    from wordworth.models.load import load

    with pytest.raises(MissingExtra, match=r"pip install torch, .* '\.\[torch\]'"):
        load(folder)


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory"), torch.OutOfMemoryError("CUDA")]
)
def test_too_little_memory_is_said_in_plain_words(tiny, error):
    def full(_):
        raise error

    with pytest.raises(NotEnoughMemory, match="no memory for 2 texts"):
        replace(tiny, state_reader=full).encode(["a", "b"])


def test_any_other_failure_of_a_model_keeps_its_traceback(tiny):
    def broken(_):
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        replace(tiny, state_reader=broken).encode(["a"])


@pytest.mark.parametrize(("options", "message"), [
    ({"threads": 0}, "`threads` is 0; give a whole number from 1 on"),
    ({"threads": "2"}, "`threads` is '2'"),
    ({"dtype": "fp16"}, "no dtype 'fp16'; available"),
    ({"device": "gpu"}, "no device 'gpu'"),
])  # fmt: skip
@pytest.mark.parametrize("model", ["glove", "mine"])
def test_options_are_checked_for_encoders_and_for_tables(tmp_path, model, options, message):
    name = write_tiny(tmp_path / "mine") if model == "mine" else model
    with pytest.raises(BadInput, match=message):
        ww.load(name, **options)


def test_a_device_is_refused_before_there_is_a_model(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    for device in ("auto", "cpu"):
        require_device(device)
    for device in ("cuda", "abacus", None):
        with pytest.raises(BadInput, match="no device"):
            require_device(device)


def test_an_empty_name_and_an_unknown_last_layer_are_refused(tmp_path):
    with pytest.raises(BadInput, match="the name of the model is empty"):
        ww.load("")
    with pytest.raises(BadInput, match="no last-layer 'nonsense'"):
        ww.load(write_tiny(tmp_path / "mine"), last_layer="nonsense")


def test_what_is_no_list_of_texts_is_refused_by_tables_and_encoders_alike(tmp_path):
    for model in (ww.load("glove"), ww.load(write_tiny(tmp_path / "mine"))):
        for table in ({"text": ["a"]}, pd.DataFrame({"text": ["a"]})):
            with pytest.raises(BadInput, match=r'got a table .* give its column of texts, such as table\["text"\]'):
                model.encode(table)
        with pytest.raises(BadInput, match="got None"):
            model.encode(None)
        with pytest.raises(BadInput, match=r"decode it: text\.decode\(\)"):
            model.encode([b"a"])
        with pytest.raises(BadInput, match="give a whole number"):
            model.encode(["a"], batch_size="32")
        assert np.isfinite(model.encode(["the cab"], long_texts="cut")).all()
    with pytest.raises(BadInput, match="is a static table, whose words have one vector each"):
        ww.load("glove").states(["a"])


@pytest.mark.parametrize("name", ["", "model"])
@pytest.mark.parametrize("weights", ["head.safetensors", "first/head.safetensors"])
def test_a_run_without_an_encoder_of_its_own_is_said_to_predict(tmp_path, name, weights):
    file = tmp_path / "model" / weights
    file.parent.mkdir(parents=True)
    file.write_bytes(b"the weights of a probe, of a rung, or of the first model of a cascade")
    (tmp_path / "model" / "wordworth.json").write_text("{}")
    with pytest.raises(BadInput, match="this model predicts, and holds no encoder; use wordworth predict or serve"):
        ww.load(tmp_path / name)
