"""A model that has no ONNX graph is refused before any work; the graphs themselves are run in tests/parity."""

from dataclasses import replace

import pytest
from tests.inference.tuned_model import write_rows, write_tuned
from tests.models.tiny import write_tiny

from wordworth import errors
from wordworth.errors import BadInput, MissingExtra
from wordworth.inference import onnx_export
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.onnx_export import require_onnx
from wordworth.studies.prune import prune
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(onnx_export, "require_package", lambda *_: None)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=5)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("facts", "config", "part"),
    [
        ({"crf": True}, {}, "a CRF"),
        ({}, {"bilstm": True}, "a BiLSTM"),
        ({}, {"pooling": "weightedmean"}, "pooling 'weightedmean'"),
    ],
)
def test_what_no_graph_holds_is_named(run, facts, config, part):
    read = read_run(run)
    network = read.network.tuned.network
    network.config = replace(network.config, **config)
    other = replace(read, predictor=replace(read.predictor, facts={**read.predictor.facts, **facts}))
    with pytest.raises(BadInput, match=f"^run: a model with {part} is not exported to ONNX; another way$"):
        require_onnx(other, "run", "another way")


@pytest.mark.usefixtures("installed")
def test_rotary_positions_are_refused_before_a_folder_is_written(run):
    read = read_run(run)
    read.encoder.model.config = replace(read.encoder.model.config, positions="rotary")
    with pytest.raises(BadInput, match="rotary positions cannot be exported"):
        require_onnx(read, "run", "another way")


def test_without_the_package_nothing_is_written(run, tmp_path, monkeypatch):
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    rows = write_rows(tmp_path / "rows.csv", sample_task("single"))
    with pytest.raises(MissingExtra, match="this needs onnx, which is not installed"):
        prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60, onnx=True)
    assert not (tmp_path / "small").exists()


def test_an_encoder_alone_has_no_scores(tmp_path):
    with pytest.raises(BadInput, match="an encoder has no scores for a graph to give"):
        prune(write_tiny(tmp_path / "tiny"), tmp_path / "small", layers=1, onnx=True)
