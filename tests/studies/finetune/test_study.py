"""Fine-tuning from a task to a record, a page and a model that answers."""

import json
import warnings
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from tests.models.language_models import write_language_model
from tests.studies.finetune.cases import BRIEF, LONGER, POINT, mostly_one_class, plain
from tests.tasks.reading.test_question_files import choices, lines, spans
from tests.training.finetuning.made_pronouns import made_pronouns

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in
from wordworth.inference.predict import predict
from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.finetune import finetune, study
from wordworth.studies.finetune.study import best_run
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run_result import Evaluation, Result
from wordworth.training.finetuning.settings import FinetuneSettings


def test_a_run_writes_a_record_a_page_and_a_model(run):
    out, record = run
    assert {path.name for path in out.iterdir()} == {"record.json", "report.html", "model", "runs", "predictions.jsonl"}
    assert "tiny fine-tuned on sample scores" in record.verdict
    scores = record.table("scores")
    assert scores["metric"][0] == "accuracy"
    assert scores["least"][0] <= scores["mean"][0] <= scores["most"][0]
    assert record.table("runs")["best"].sum() == 1
    assert record.table("confusion")["count"].sum() == len(sample_task("single", 180).test)
    assert len(record.table("evaluations")) == 2 * 8


def test_the_same_call_again_only_reads_and_more_restarts_cost_themselves(run, encoder):
    out, record = run
    before = {path: path.stat().st_mtime_ns for path in out.rglob("result.npz")}
    assert plain(finetune(sample_task("single", 180), model=encoder, out=out, **LONGER)) == plain(record)
    finetune(sample_task("single", 180), model=encoder, out=out, **{**LONGER, "restarts": 3})
    after = {path: path.stat().st_mtime_ns for path in out.rglob("result.npz")}
    assert len(after) == 3
    assert before.items() <= after.items()


def test_two_fine_tunings_do_not_work_in_one_folder_at_a_time(encoder, tmp_path):
    with alone_in(tmp_path / "runs"), pytest.raises(BadInput, match="another process is at work"):
        finetune(sample_task("single", 60), model=encoder, out=tmp_path, **BRIEF)


def test_how_many_runs_need_not_be_made_again_is_said(encoder, tmp_path):
    notes = []
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    for restarts, said in (
        (2, []),
        (2, ["2 of 2 runs made before: read, not made again"]),
        (3, ["2 of 3 runs made before: read, not made again"]),
    ):
        some = {**BRIEF, "epochs": 1, "restarts": restarts}
        finetune(sample_task("single"), model=encoder, out=tmp_path, progress=told, **some)
        assert [note for note in notes if "made before" in note] == said
        notes.clear()


def test_where_too_few_rows_are_left_for_a_dev_part_every_sentence_says_so(encoder, tmp_path):
    task = sample_task("single", 90)
    record = finetune(task, model=encoder, out=tmp_path, **{**BRIEF, "learning_rate": 1e-9, "epochs": 1, "dev": 0.1})
    text = {one.name: one.text for one in record.findings}
    assert (
        f"There was no dev part (10 % of {len(task.train)} training examples is fewer than 20)"
        in text["warning.no-dev"]
    )
    assert "the same for every run, without a dev part" in text["method.parts"]
    assert "lowest last training loss, as there is no dev part" in text["method.runs"]
    assert "best on the dev part" not in " ".join(text.values())


def test_no_dev_part_that_was_asked_for_and_one_run_are_told_as_that(encoder, tmp_path):
    some = {**BRIEF, "restarts": 1, "epochs": 1, "dev": 0.0}
    text = {
        one.name: one.text for one in finetune(sample_task("single", 60), model=encoder, out=tmp_path, **some).findings
    }
    assert "There was no dev part (none was requested)" in text["warning.no-dev"]
    assert text["method.runs"].startswith("One run was made")
    assert "1 runs" not in " ".join(text.values())


def test_runs_that_score_alike_are_told_as_that(encoder, tmp_path):
    record = finetune(mostly_one_class(), model=encoder, out=tmp_path, **{**BRIEF, "learning_rate": 1e-9, "epochs": 1})
    assert ", the same in 2 runs" in record.finding("verdict").text


@pytest.mark.filterwarnings("ignore:.*has an earlier result")
def test_another_metric_makes_runs_of_its_own(encoder, tmp_path):
    task = sample_task("single", 60)
    for count, metric in ((1, "accuracy"), (2, "macro_f1")):
        record = finetune(replace(task, metric=metric), model=encoder, out=tmp_path, **{**BRIEF, "restarts": 1})
        assert record.table("scores")["metric"][0] == metric
        assert len(list((tmp_path / "runs").rglob("result.npz"))) == count


@pytest.mark.parametrize(("kind", "row", "says"), [
    ("pair", {"text_a": "good film", "text_b": "bad film"}, "label"),
    ("regression", {"text": "good film"}, "value"),
    ("multilabel", {"text": "good film"}, "labels"),
    ("choice", {"context": "good film", "options": ["good", "bad"]}, "choice"),
    ("tags", {"words": ["good", "film"]}, "tags"),
    ("span", {"question": "what was it?", "context": "the film was good"}, "answer"),
])  # fmt: skip
def test_every_kind_is_learned_and_answered(encoder, tmp_path, kind, row, says):
    record = finetune(sample_task(kind), model=encoder, out=tmp_path, **{**BRIEF, "restarts": 1, "epochs": 2})
    assert record.kind == "finetune"
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n")
    predict(tmp_path, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    (answer,) = (json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines())
    assert says in answer
    if kind == "tags":
        assert len(answer["tags"]) == 2
        assert answer["words"] == row["words"]


@pytest.mark.parametrize(("kind", "rows", "says"), [("span", spans(), "answer"), ("choice", choices(), "choice")])
def test_a_users_own_questions_are_learned_and_answered_from_the_same_file(encoder, tmp_path, kind, rows, says):
    data = lines(tmp_path / "asked.jsonl", rows)
    finetune(data=data, kind=kind, model=encoder, out=tmp_path / "run", **{**BRIEF, "restarts": 1, "epochs": 1})
    predict(tmp_path / "run", data, tmp_path / "out.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(answers) == len(rows)
    assert all(says in answer for answer in answers)


def test_runs_that_learn_nothing_are_counted_and_said(encoder, tmp_path):
    deaf = {**BRIEF, "learning_rate": 1e-9}
    record = finetune(mostly_one_class(), model=encoder, out=tmp_path, **deaf)
    assert list(record.table("runs")["state"]) == ["collapsed"] * 2
    assert "2 of 2 runs collapsed" in record.finding("warning.collapsed").text


def test_a_run_that_learned_is_kept_before_one_that_collapsed_or_failed():
    states = [Result(hyper_parameters=POINT, seed=0, state=state, steps=8,
                     evaluations=(Evaluation(8, 1.0, dev),), kept_step=8)
              for state, dev in (("collapsed", 0.9), ("finished", 0.5), ("failed", None))]  # fmt: skip
    assert best_run(states).state == "finished"
    assert best_run(states[:1]).state == "collapsed"
    assert best_run(states[2:]) is None


@pytest.mark.parametrize("kind", ["single", "tags"])
def test_a_model_of_lstms_over_pieces_learns_in_every_layer_and_is_saved(tmp_path, kind):
    model, task = write_language_model(tmp_path / "bilm", "bilm"), sample_task(kind, 60)
    finetune(task, model=str(model), out=tmp_path / "out", max_length=24, **{**BRIEF, "epochs": 1, "restarts": 1})
    before, after = (load(str(each)).model.body.state_dict() for each in (model, tmp_path / "out" / "model"))
    assert not any(torch.equal(before[name], after[name]) for name in before)


@pytest.mark.slow
def test_two_processes_and_one_give_the_same_record(encoder, tmp_path):
    records = [
        finetune(sample_task("single"), model=encoder, out=tmp_path / str(count), **{**BRIEF, "processes": count})
        for count in (1, 2)
    ]
    assert plain(records[0]) == plain(records[1])


@pytest.mark.slow
def test_an_earlier_result_is_named_before_it_is_replaced(encoder, tmp_path):
    notes = []
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    first = finetune(sample_task("single"), model=encoder, out=tmp_path, progress=told, **BRIEF)
    assert not any("earlier result" in note for note in notes)
    finetune(sample_task("single"), model=encoder, out=tmp_path, progress=told, **{**BRIEF, "learning_rate": 1e-3})
    headline = first.finding("verdict").numbers["headline"]
    assert any("has an earlier result" in note and headline in note for note in notes)
    notes.clear()
    with pytest.raises(BadInput):
        finetune(sample_task("single"), model=encoder, out=tmp_path, progress=told, **BRIEF, crf=True)
    assert not any("earlier result" in note for note in notes)


@pytest.mark.parametrize(("device", "processes"), [("cuda", 4), ("cuda:1", 1), ("cpu", 2)])
def test_a_run_a_gpu_but_of_one_that_is_named_one_at_a_time(monkeypatch, device, processes):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 4)
    monkeypatch.setattr(study, "available_cpus", lambda: 2)
    assert study.num_processes(FinetuneSettings(device=device, restarts=9, threads=1), 1) == processes


def test_without_progress_a_warning_says_that_a_study_of_other_data_is_replaced(encoder, tmp_path):
    some = {**BRIEF, "restarts": 1, "epochs": 1}
    finetune(sample_task("single", 60), model=encoder, out=tmp_path, **some)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        finetune(sample_task("single", 60), model=encoder, out=tmp_path, **some)
    with pytest.warns(UserWarning, match="has an earlier result, which will be replaced"):
        finetune(sample_task("single", 80), model=encoder, out=tmp_path, **some)


def test_pronouns_of_a_file_are_learned_and_answered_and_its_command_goes_on(tmp_path):
    task, model = made_pronouns(60), write_language_model(tmp_path / "small", "bert")
    rows = [
        "\t".join((before + "it" + after, "it", "|".join(options), options[label]))
        for before, after, options, label in zip(
            task.examples.first, task.examples.second, task.examples.options, task.labels, strict=True
        )
    ]
    data = tmp_path / "pronouns.tsv"
    data.write_text("\n".join(("text\tpronoun\tcandidates\tanswer", *rows)) + "\n")
    how = {**BRIEF, "restarts": 1, "epochs": 2, "kind": "pronoun_resolution"}
    record = finetune(data=data, model=str(model), out=tmp_path / "run", **how)
    assert (record.data["kind"], record.data["metric"]) == ("pronoun_resolution", "accuracy")
    assert "[…]" in (tmp_path / "run" / "report.html").read_text()
    again = finetune(data=data, model=str(model), out=tmp_path / "run", **how)
    assert plain(again) == plain(record)
    data.write_text("\n".join(("text\tpronoun\tcandidates", *(row.rpartition("\t")[0] for row in rows))) + "\n")
    answers = predict(tmp_path / "run", data)
    assert answers["prediction"].isin([0, 1]).all()
    assert len(answers) == 60


def test_a_file_with_a_column_of_options_is_multiple_choice(encoder, tmp_path):
    rows = [{"context": f"one {n} was", "options": ["good", "bad"], "label": n % 2} for n in range(40)]
    record = finetune(data=rows, model=encoder, out=tmp_path, margin=0.2, **{**BRIEF, "restarts": 1, "epochs": 1})
    assert record.data["kind"] == "multiple_choice"
