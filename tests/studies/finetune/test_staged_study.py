"""Staged transfer: a transfer task, then the target task, beside its controls."""

from dataclasses import replace

import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import plain

from wordworth.inference.finetuned_network import read_network
from wordworth.studies.finetune import finetune
from wordworth.studies.report_folder import report
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.checkpoint_metadata import read_metadata

SETTINGS = {"restarts": 2, "learning_rate": 3e-3, "epochs": 1, "dev": 0.0, "processes": 1}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("stages") / "tiny", layers=1))


def stages():
    return sample_task("pair_classification", 60), [sample_task("multiple_choice", 60, seed=1)]


@pytest.fixture(scope="module")
def run(encoder, tmp_path_factory):
    """A staged transfer with its controls, that has ended."""
    out = tmp_path_factory.mktemp("run")
    first, then = stages()
    return out, finetune(first, then=then, controls=True, model=encoder, out=out, margin=0.2, **SETTINGS)


def rows_by(record, table, *names):
    return {tuple(row[name] for name in names): row for row in record.tables[table].rows()}


def test_one_record_holds_all_stages_of_all_ways_to_the_target(run):
    _, record = run
    made = rows_by(record, "stages", "arm", "stage")
    assert [key for key in made if key[0] == "staged"] == [("staged", 1), ("staged", 2)]
    assert {arm for arm, _ in made} == {"staged", "target alone", "shuffled labels", "more updates", "options only"}
    assert {row["runs"] for row in made.values()} == {2}
    both = made["staged", 1]["steps"] + made["staged", 2]["steps"]
    assert made["more updates", 1]["steps"] == both > made["target alone", 1]["steps"]
    assert made["shuffled labels", 1]["task"] == "sample, labels shuffled"
    assert "margin of 0.2" in record.finding("method.options").text


def test_gains_are_the_differences_of_the_means_with_an_interval_around_them(run):
    _, record = run
    (staged,) = (row for row in record.tables["scores"].rows() if row["metric"] == "accuracy")
    for row in record.tables["controls"].rows():
        assert row["gain"] == pytest.approx(staged["mean"] - row["mean"])
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]
    transfer = record.finding("transfer")
    assert transfer.text in record.verdict
    assert set(transfer.numbers) == {
        "headline",
        "sure",
        "target alone",
        "shuffled labels",
        "more updates",
        "options only",
    }


def test_the_same_call_reads_what_is_made_and_gives_the_same_record(run, encoder):
    out, record = run
    files = {path: path.stat().st_mtime_ns for path in (out / "runs").rglob("result.npz")}
    first, then = stages()
    again = finetune(first, then=then[0], controls=True, model=encoder, out=out, margin=0.2, **SETTINGS)
    assert plain(again) == plain(record)
    assert {path: path.stat().st_mtime_ns for path in (out / "runs").rglob("result.npz")} == files


def test_the_model_is_that_of_the_last_stage_and_says_what_was_before(run):
    out, _ = run
    facts = read_metadata(out)
    assert (facts["kind"], facts["start"]["stages"], facts["options_only"]) == ("multiple_choice", ["sample"], False)


def test_the_page_shows_the_controls_and_the_stages(run):
    page = str(report(run[0]))
    assert "What the transfer gains over each control" in page
    assert "shuffled labels" in page


def test_a_lone_target_is_the_same_run_with_and_without_a_transfer_beside_it(run, encoder, tmp_path):
    _, record = run
    alone = finetune(sample_task("multiple_choice", 60, seed=1), model=encoder, out=tmp_path, margin=0.2, **SETTINGS)
    assert rows_by(record, "controls", "arm")["target alone",]["mean"] == alone.table("scores")["mean"][0]


def test_a_model_that_read_options_alone_predicts_without_contexts(encoder, tmp_path):
    task = sample_task("multiple_choice", 60)
    finetune(task, model=encoder, out=tmp_path, options_only=True, **(SETTINGS | {"restarts": 1}))
    facts = read_metadata(tmp_path)
    _, network = read_network(tmp_path / "model", facts, torch.device("cpu"), bf16=False)
    head = network.tuned.head
    short, long = (head.encode(network.reader, examples) for examples in (task.examples, without_contexts(task)))
    assert [tokens.ids.tolist() for tokens in short.tokens] == [tokens.ids.tolist() for tokens in long.tokens]


def without_contexts(task):
    return replace(task.examples, first=("",) * len(task.examples))
