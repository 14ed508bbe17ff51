"""A record in MLflow's own store of files."""

import sys
from pathlib import Path

import pytest
from tests.integrations import records

from wordworth.errors import BadInput, MissingExtra
from wordworth.integrations.mlflow import log_record
from wordworth.integrations.record_scores import scores_of
from wordworth.records import read


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    """MLflow with a store of files, which it warns of and which needs nothing else installed."""
    module = pytest.importorskip("mlflow", reason="mlflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = module.get_tracking_uri()
    module.set_tracking_uri((tmp_path / "store").as_uri())
    yield module
    module.set_tracking_uri(before)


def artifacts(mlflow, run, tmp_path):
    return mlflow.artifacts.download_artifacts(run_id=run, dst_path=str(tmp_path / "fetched"))


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", [*records.WORTH, *records.OTHERS, "finetune", "evaluate"])
def test_a_run_holds_the_scores_the_verdict_and_the_record(name, mlflow, tmp_path):
    drawn = {"finetune": records.finetuned, "evaluate": records.evaluated}
    record = drawn[name]() if name in drawn else records.record(name)
    run = log_record(record, run_name=name)
    logged = mlflow.get_run(run)
    assert logged.info.status == "FINISHED"
    assert logged.data.tags["wordworth.kind"] == record.kind
    if name not in records.OTHERS:
        score = scores_of(record)[0]
        key = f"{score.dataset}.{score.metric}" if name == "evaluate" else score.metric
        assert logged.data.metrics[key] == score.value
    for setting, value in record.settings.items():
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            assert logged.data.params[f"settings.{setting}"] == str(value)
    fetched = artifacts(mlflow, run, tmp_path)
    assert read(f"{fetched}/record.json").verdict == record.verdict


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_folder_of_a_study_stands_for_its_record(mlflow, tmp_path):
    record = records.record("worth-single")
    record.save(tmp_path / "record.json")
    assert mlflow.get_run(log_record(tmp_path)).data.tags["wordworth.kind"] == "worth"
    with pytest.raises(BadInput, match="nowhere: cannot read"):
        log_record("nowhere")


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_active_run_is_used_and_goes_on_and_the_page_is_an_artifact(mlflow, tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "report.html").write_text("<p>page</p>", encoding="utf-8")
    with mlflow.start_run() as run:
        assert log_record(records.finetuned(), folder=tmp_path / "study") == run.info.run_id
        assert mlflow.active_run().info.run_id == run.info.run_id
    page = Path(artifacts(mlflow, run.info.run_id, tmp_path)) / "report.html"
    assert page.read_text(encoding="utf-8") == "<p>page</p>"


@pytest.mark.peers
def test_a_folder_that_is_not_there_is_refused_before_a_run_begins(mlflow, tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        log_record(records.finetuned(), folder=tmp_path / "nowhere")
    assert mlflow.active_run() is None


def test_without_mlflow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingExtra, match=r"pip install mlflow-skinny, .*\[mlflow\]"):
        log_record(records.finetuned())
