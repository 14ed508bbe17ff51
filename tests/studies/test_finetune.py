"""Fine-tuning from a task to a record, a page and a model that answers."""

import json
import os
import re
import signal
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.models.language_models import write_language_model
from tests.models.tiny_elmo import write_elmo
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.tasks.reading.test_custom_qa import choices, lines, spans

from wordworth.errors import BadInput, WordworthError
from wordworth.files import sha256
from wordworth.folder_lock import alone_in
from wordworth.inference.predict import predict
from wordworth.inference.prediction_inputs import ColumnRoles, InputRow
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import SILENT, STILL
from wordworth.studies.finetune import finetune, study
from wordworth.studies.finetune.error_examples import example_rows
from wordworth.studies.finetune.results import Scored, metrics_of
from wordworth.studies.finetune.study import best_run
from wordworth.studies.finetune.verdict import _grid, _no_dev, _unlearned, baseline
from wordworth.tasks.reading.example_groups import group_ids
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.dev_split import Split, dev_split
from wordworth.training.finetuning.experiment import Experiment
from wordworth.training.finetuning.feature_tagger import FeatureTagger, layers_of
from wordworth.training.finetuning.grid_search import candidates, grid_search
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_result import Evaluation, HyperParameters, Result, RunSpec, evaluation_steps
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.finetuning.worker_pool import WorkerSpec, worker_pool

BRIEF = {"restarts": 2, "learning_rate": 3e-3, "epochs": 3, "dev": 0.2, "processes": 1}

LONGER = {**BRIEF, "epochs": 7, "learning_rate": 2e-3}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("finetune") / "tiny"))


@pytest.fixture(scope="module")
def run(encoder, tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    return out, finetune(sample_task("single", 180), model=encoder, out=out, **LONGER)


def plain(record) -> str:
    return replace(record, timings={}, environment={}).to_json()


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


def test_predictions_of_the_test_part_stand_beside_the_record_which_names_them(run):
    out, record = run
    task = sample_task("single", 180)
    file = record.data["predictions"]
    said = [json.loads(line) for line in (out / file["file"]).read_text().splitlines()]
    assert (file["sha256"], file["rows"]) == (sha256(out / file["file"]), len(said))
    assert [one["gold"] for one in said] == [task.classes[gold] for gold in task.gold(task.test)]
    right = np.mean([one["gold"] == one["prediction"] for one in said])
    assert right == pytest.approx(record.table("scores")["best"][0])
    assert all(max(one["probabilities"], key=one["probabilities"].get) == one["prediction"] for one in said)


@pytest.mark.parametrize("kind", ["regression", "multilabel", "choice", "tags", "span"])
def test_predictions_of_every_kind_are_kept_as_a_file_of_labels_has_them(encoder, tmp_path, kind):
    task = sample_task(kind)
    finetune(task, model=encoder, out=tmp_path, **{**BRIEF, "restarts": 1, "epochs": 1})
    said = [json.loads(line) for line in (tmp_path / "predictions.jsonl").read_text().splitlines()]
    assert len(said) == len(task.test)
    types = {"regression": float, "choice": int, "span": str}
    assert all(isinstance(one["prediction"], types.get(kind, list)) for one in said)
    assert all(isinstance(one["gold"], {**types, "span": list}.get(kind, list)) for one in said)


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


def test_a_grid_without_rows_enough_for_a_dev_part_is_refused(encoder, tmp_path):
    with pytest.raises(BadInput, match=r"grid search needs a dev part, and 0\.1 of .* is too few"):
        finetune(sample_task("single", 90), model=encoder, out=tmp_path, grid="paper", restarts=1)


def test_runs_that_score_alike_are_told_as_that(encoder, tmp_path):
    record = finetune(mostly_one_class(), model=encoder, out=tmp_path, **{**BRIEF, "learning_rate": 1e-9, "epochs": 1})
    assert ", the same in 2 runs" in record.finding("verdict").text


def test_another_metric_makes_runs_of_its_own(encoder, tmp_path):
    task = sample_task("single", 60)
    for count, metric in ((1, "accuracy"), (2, "macro_f1")):
        record = finetune(replace(task, metric=metric), model=encoder, out=tmp_path, **{**BRIEF, "restarts": 1})
        assert record.table("scores")["metric"][0] == metric
        assert len(list((tmp_path / "runs").rglob("result.npz"))) == count


def test_the_model_kept_says_of_the_test_part_what_the_record_counted(run, tmp_path):
    out, record = run
    task = sample_task("single", 180)
    rows = tmp_path / "in.jsonl"
    rows.write_text(
        "".join(json.dumps({"text": task.examples.first[row], "id": f"r{row}"}) + "\n" for row in task.test)
    )
    assert predict(out, rows, tmp_path / "out.jsonl").rows == len(task.test)
    said = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    right = np.mean([one["label"] == task.classes[gold] for one, gold in zip(said, task.gold(task.test), strict=True)])
    assert right == pytest.approx(record.table("scores")["best"][0])
    assert said[0]["id"] == f"r{task.test[0]}"
    assert sum(said[0]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    excel = tmp_path / "excel.csv"
    excel.write_text("id;text\n" + "".join(f"r{row};{task.examples.first[row]}\n" for row in task.test))
    predict(out, excel, tmp_path / "again.jsonl")
    assert [json.loads(line)["label"] for line in (tmp_path / "again.jsonl").read_text().splitlines()] == [
        one["label"] for one in said
    ]


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


FEATURES = {  # the layers that each reads of five, and the numbers that the tagger reads of a word, 32 a layer
    "embeddings": ((0,), 32),
    "second-to-last": ((4,), 32),
    "last": ((5,), 32),
    "weighted-last-four": ((2, 3, 4, 5), 32),
    "concat-last-four": ((2, 3, 4, 5), 4 * 32),
    "weighted-all": ((1, 2, 3, 4, 5), 32),
}


@pytest.fixture(scope="module")
def deep_encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("features") / "deep", layers=5))


@pytest.fixture
def small_tagger(tmp_path, monkeypatch):
    """States are kept in this test's own folder, and the BiLSTM is 32 wide; for users it is 384."""
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("wordworth.training.finetuning.feature_tagger.HIDDEN", 32)


@pytest.mark.usefixtures("small_tagger")
@pytest.mark.parametrize("features", FEATURES)
def test_frozen_features_are_tagged_by_a_bilstm_and_answered(deep_encoder, tmp_path, features):
    some = {
        "restarts": 1,
        "epochs": 10,
        "batch_size": 8,
        "learning_rate": 0.03,
        "dev": 0.0,
        "processes": 1,
        "features": features,
    }
    record = finetune(sample_task("tags", 150), model=deep_encoder, out=tmp_path / "run", **some)
    assert features in " ".join(one.text for one in record.findings)
    losses = record.table("evaluations")["loss"]
    assert losses.iloc[-1] < losses.iloc[0] * 2 / 3
    head = load_file(tmp_path / "run" / "model" / "head.safetensors")
    assert head["tagger.layers.0.left_to_right.input.weight"].shape[1] == FEATURES[features][1]
    assert ("weights" in head) == features.startswith("weighted")
    (tmp_path / "in.jsonl").write_text(json.dumps({"words": ["good", "film"]}) + "\n")
    predict(tmp_path / "run", tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert len(json.loads((tmp_path / "out.jsonl").read_text())["tags"]) == 2


@pytest.mark.usefixtures("small_tagger")
@pytest.mark.parametrize("features", FEATURES)
def test_states_of_words_are_kept_and_a_second_run_asks_no_encoder(deep_encoder, tmp_path, monkeypatch, features):
    task, layers, read = sample_task("tags", 45), FEATURES[features][0], []
    true_states = TextEncoder.word_states
    monkeypatch.setattr(
        TextEncoder, "word_states", lambda *given, **asked: read.append(asked["layers"]) or true_states(*given, **asked)
    )
    for out, rate in (("one", 1e-3), ("other", 2e-3)):
        some = {"restarts": 1, "epochs": 1, "learning_rate": rate, "dev": 0.0, "processes": 1, "features": features}
        finetune(task, model=deep_encoder, out=tmp_path / out, **some)
        assert read == [layers]
    (kept,) = map(np.load, (tmp_path / "cache").rglob("*.npy"))
    assert (kept.shape, kept.dtype) == ((sum(map(len, task.examples.words)), len(layers), 32), np.float16)


def test_the_six_feature_sets_have_the_widths_of_the_paper_s_table():  # E34
    names = ("embeddings", "second-to-last", "last", "weighted-last-four", "concat-last-four", "weighted-all")
    taggers = [FeatureTagger(name, (len(layers_of(name, 12)), 768), ("O", "B-x"), crf=False) for name in names]
    assert [len(tagger.tagger.shift) for tagger in taggers] == [768, 768, 768, 768, 4 * 768, 768]
    assert layers_of("second-to-last", 12) == (11,)
    assert layers_of("weighted-all", 12) == tuple(range(1, 13))


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


def mostly_one_class():
    """The prior of so common a class outweighs what untrained layers say of any text."""
    task = sample_task("single")
    return replace(task, labels=np.where(np.arange(len(task.labels)) % 10 < 9, 0, task.labels))


POINT = HyperParameters(learning_rate=1e-4, batch_size=16, epochs=3)


def test_a_result_comes_back_from_its_file_as_it_was(tmp_path):
    said = {"scores": np.eye(3), "tags": (np.array([1, 2]), np.array([], np.int64)), "texts": ("a", "", "ü")}
    for name, value in said.items():
        looks = (Evaluation(9, 0.1, None),)
        result = Result(
            hyper_parameters=POINT, seed=1, state="finished", steps=9, evaluations=looks, dev_score=0.5, test=value
        )
        result.save(tmp_path / name)
        back = Result.read(tmp_path / name)
        assert (back.hyper_parameters, back.evaluations, back.dev_score) == (POINT, result.evaluations, 0.5)
        assert len(back.test) == len(value)
        assert all(np.array_equal(one, other) for one, other in zip(back.test, value, strict=True))


class Scripted:
    """A crew whose runs score what they are told to."""

    def __init__(self, scores):
        self.scores, self.shares = scores, []

    def results(self, works, _step):
        self.shares.append((len(works), works[0].share))
        return [
            Result(hyper_parameters=work.hyper_parameters, seed=0, steps=8,
                   state="paused" if work.share < 1 else "finished",
                   evaluations=(Evaluation(1, 1.0, self.scores[work.hyper_parameters.learning_rate]),))
            for work in works
        ]  # fmt: skip


def test_the_paper_s_grid_is_halved_to_one():
    points = candidates(FinetuneSettings(grid="paper"), 768, 3000)
    assert len(points) == 18
    assert {(point.batch_size, point.epochs) for point in points} == {(b, e) for b in (16, 32) for e in (2, 3, 4)}
    several = [replace(point, learning_rate=number) for number, point in enumerate(points)]
    worker_pool = Scripted({number: number / 20 for number in range(18)})
    best, told = grid_search(several, worker_pool, Split(np.arange(3000), np.arange(300), np.arange(500)), SILENT)
    assert best.learning_rate == 17
    assert worker_pool.shares == [(18, 0.25), (6, 0.5), (2, 1.0), (1, 1.0)]
    assert sum(one.state == "pruned" for one in told) == 16


def test_the_best_of_a_small_grid_is_on_its_way_and_not_called_dropped():
    points = candidates(FinetuneSettings(grid="paper", batch_size=16, learning_rate=5e-5), 768, 3000)
    several = [replace(point, learning_rate=number) for number, point in enumerate(points)]
    best, told = grid_search(several, Scripted({0: 0.1, 1: 0.9, 2: 0.5}), Split(*(np.arange(300),) * 3), SILENT)
    assert (best.learning_rate, [one.state for one in told]) == (1, ["pruned", "paused", "pruned"])
    said = _grid(SimpleNamespace(tried=told))
    assert "3 settings" in said
    assert "a quarter of their updates, the best one for a half; 2 were dropped" in said


def test_small_sets_are_learned_longer_and_narrow_encoders_faster():
    settings = FinetuneSettings()
    (small,), (large,) = (candidates(settings, 384, count) for count in (2_500, 100_000))
    assert (small.epochs, large.epochs) == (13, 3)
    assert small.learning_rate == pytest.approx(1e-4)
    (paper,) = candidates(FinetuneSettings(recipe="paper"), 768, 2_500)
    assert (paper.batch_size, paper.epochs, paper.learning_rate) == (32, 3, 3e-5)


def one_of(recipe, kind):
    """What the settings of a run are made from."""
    split, task = SimpleNamespace(train=np.arange(100)), SimpleNamespace(kind=kind)
    return SimpleNamespace(settings=FinetuneSettings(recipe=recipe), task=task, split=split, pooling="pooler")


def test_the_paper_s_spans_are_scored_without_dropout_before_the_output_and_nothing_else_is():
    point = HyperParameters(learning_rate=3e-5, batch_size=32, epochs=3)
    rates = {
        (recipe, kind): Experiment.config(one_of(recipe, kind), point).dropout
        for recipe in ("paper", "modern")
        for kind in ("span", "tags", "pair")
    }
    assert rates.pop(("paper", "span")) == 0
    assert set(rates.values()) == {0.1}


def test_the_dev_part_is_of_the_training_part_with_its_mix_and_never_of_the_test_part():
    task = sample_task("single", 600)
    found = dev_split(task, 0.1, 0)
    rows = np.concatenate([found.train, found.dev])
    assert sorted(rows) == sorted(task.train)
    assert not set(rows) & set(found.test)
    shares = [np.bincount(task.labels[some], minlength=3) / len(some) for some in (found.dev, task.train)]
    assert np.abs(shares[0] - shares[1]).max() < 0.03
    assert len(dev_split(sample_task("single", 90), 0.1, 0).dev) == 0


@pytest.mark.parametrize("kind", ["single", "pair", "regression", "multilabel", "choice", "span", "tags"])
def test_what_hangs_together_is_not_both_learned_from_and_chosen_on(kind):
    task = sample_task(kind, 1200)
    blocks = tuple(row // 5 for row in range(1200))
    alike = {
        name: tuple(getattr(task.examples, name)[block * 5] for block in blocks)
        for name in ("first", "second")
        if getattr(task.examples, name) is not None
    }
    task = replace(task, examples=replace(task.examples, documents=blocks, **alike))
    found, whole = dev_split(task, 0.1, 0), group_ids(kind, task.examples)
    assert not set(whole[found.train]) & set(whole[found.dev])
    assert len(found.dev) == pytest.approx(0.1 * len(task.train), rel=0.3)


def test_a_dev_part_is_drawn_of_sentences_where_documents_are_too_few():
    task = sample_task("tags", 600)
    task = replace(task, examples=replace(task.examples, documents=tuple(row // 300 for row in range(600))))
    assert len(dev_split(task, 0.1, 0).dev) == 40


def test_a_run_that_failed_does_not_count_by_what_it_scored_before():
    failed = Result(
        hyper_parameters=HyperParameters(learning_rate=1.0, batch_size=1, epochs=1.0),
        seed=0,
        state="failed",
        steps=8,
        evaluations=(Evaluation(step=1, loss=0.5, dev=0.9),),
    )
    assert failed.best_dev(8) == -np.inf
    assert failed.best_dev(1) == 0.9
    assert replace(failed, state="paused").best_dev(8) == 0.9


def test_a_run_that_is_found_further_is_judged_by_what_a_race_had_seen_of_it():
    looks = tuple(Evaluation(step, 1.0, dev) for step, dev in ((1, 0.5), (2, 0.4), (3, 0.6), (8, 0.9)))
    further = Result(hyper_parameters=POINT, seed=0, state="finished", steps=8, evaluations=looks, dev_score=0.9)
    assert [further.best_dev(until) for until in (2, 4, 8)] == [0.5, 0.6, 0.9]


def test_a_run_is_looked_at_eight_times_and_at_its_end():
    for steps in (1, 5, 8, 20, 1001):
        found = evaluation_steps(steps)
        assert len(found) == 8
        assert found[-1] == steps
        assert found == sorted(found)


def test_a_text_that_stands_in_the_test_part_twice_is_shown_once():
    task = sample_task("tags", 60)
    twice = replace(task, test=np.concatenate([task.test, task.test]))
    rows = example_rows(twice, twice.gold(twice.test))
    assert {row["which"] for row in rows} == {"right"}
    assert len({row["text"] for row in rows}) == len(rows) == 6


def test_where_questions_may_have_no_answer_a_score_stands_beside_that_of_answering_none():
    task = sample_task("span", 60)
    labels = task.labels.copy()
    labels[::4] = [()] * len(labels[::4])
    answered, some_not = (
        baseline(SimpleNamespace(experiment=SimpleNamespace(task=one))) for one in (task, replace(task, labels=labels))
    )
    assert answered is None
    assert some_not == pytest.approx(np.mean([row % 4 == 0 for row in task.test]))
    assert metrics_of(task) == ("span_f1", "exact_match")
    assert metrics_of(replace(task, labels=labels)) == ("span_f1", "exact_match", "has_answer_f1", "no_answer_f1")


@pytest.mark.parametrize(
    ("mean", "low", "beside"), [(0.1, 0.05, "below"), (0.52, 0.1, "not significantly above"), (1, 1, "")]
)
def test_a_score_below_the_most_frequent_class_is_told_before_one_trusts_it(mean, low, beside):
    evidence = SimpleNamespace(experiment=SimpleNamespace(task=sample_task("single", 60)))
    told = _unlearned(evidence, Scored("accuracy", "accuracy", np.array([mean]), low, 1.0))
    if not beside:
        assert told is None
        return
    assert told.name == "warning.unlearned"
    assert told.text.startswith(
        f"The score, {100 * mean:.1f}, is {beside} a baseline without a model: predicting the most frequent"
    )


def test_a_choice_stands_beside_guessing():
    task = sample_task("choice", 60)
    options = tuple(one[:2] if row % 2 else one[:3] for row, one in enumerate(task.examples.options))
    given = replace(task, examples=replace(task.examples, options=options))
    chance = np.mean([1 / len(options[row]) for row in task.test])
    assert baseline(SimpleNamespace(experiment=SimpleNamespace(task=given))) == pytest.approx(chance)


@pytest.mark.parametrize(("answered", "said"), [(True, False), (False, True)])
def test_without_a_dev_part_it_is_said_that_no_threshold_was_tuned(answered, said):
    task = sample_task("span", 60)
    labels = task.labels.copy()
    labels[::4] = labels[::4] if answered else [()] * len(labels[::4])
    experiment = SimpleNamespace(split=SimpleNamespace(dev=[]), settings=FinetuneSettings(dev=0.1),
                            task=replace(task, labels=labels))  # fmt: skip
    assert (
        "no answer was not tuned either; a larger --dev does so" in _no_dev(SimpleNamespace(experiment=experiment)).text
    ) is said


def test_of_a_context_one_question_is_shown():
    task = sample_task("span", 60)
    contexts = tuple(f"about {number % 4}" for number in range(60))
    about = replace(task, examples=replace(task.examples, second=contexts))
    rows = example_rows(about, np.full(len(task.test), "nothing of it", dtype=object))
    assert {row["which"] for row in rows} == {"wrong"}
    assert sorted(row["text"] for row in rows) == sorted({contexts[row] for row in task.test})


def reviews(path, numbers):
    """Reviews of films by their numbers, every other one good."""
    rows = [
        {"text": f"{'good' if number % 2 else 'bad'} film {number}", "label": "+-"[number % 2]} for number in numbers
    ]
    return lines(path, rows)


def test_choices_are_made_on_a_dev_file_and_on_nothing_of_the_training_part(encoder, tmp_path):
    data, dev = reviews(tmp_path / "all.jsonl", range(80)), reviews(tmp_path / "dev.jsonl", range(100, 140))
    test = reviews(tmp_path / "test.jsonl", range(200, 230))
    for named, learned, tested in (({"test": str(test)}, 80, 30), ({"test": 0.25}, 60, 20)):
        choices_of_this = LONGER | {"dev": str(dev)} | named
        record = finetune(data=data, model=encoder, out=tmp_path / str(tested), **choices_of_this)
        assert (record.data["train"], record.data["dev"], record.data["test"]) == (learned, 40, tested)
        assert "choices made on the 40 of dev.jsonl" in record.finding("method.parts").text
        assert record.settings["dev"] == str(dev)
        assert record.table("evaluations")["dev"].notna().all()


def test_texts_of_a_dev_file_that_are_learned_or_tested_are_told_of_and_its_new_classes_refused(encoder, tmp_path):
    data, test = reviews(tmp_path / "all.jsonl", range(80)), reviews(tmp_path / "test.jsonl", range(200, 230))
    some = {**BRIEF, "restarts": 1, "epochs": 1, "test": str(test), "model": encoder}
    dev = reviews(tmp_path / "dev.jsonl", [*range(70, 90), *range(225, 230)])
    record = finetune(data=data, out=tmp_path / "run", **{**some, "dev": dev})
    trained, tested = (record.finding(f"warning.dev_in_{part}").text for part in ("training", "test"))
    assert "10 of 25 texts of the dev file are also in the training part" in trained
    assert "5 of 25 texts of the dev file are also in the test part" in tested
    new = lines(tmp_path / "new.jsonl", [{"text": f"odd film {number}", "label": "?"} for number in range(20)])
    with pytest.raises(BadInput, match=r"20 of 20 dev rows have a class that the training part lacks .*'\?'"):
        finetune(data=data, out=tmp_path / "other", **{**some, "dev": str(new)})
    other = lines(tmp_path / "other.jsonl", [{"text": "odd film", "mark": "+"}])
    with pytest.raises(BadInput, match="the dev file has no column 'label'"):
        finetune(data=data, out=tmp_path / "other", **{**some, "dev": str(other)})


@pytest.mark.parametrize(("kind", "rows"), [("span", spans()), ("choice", choices())])
def test_choices_on_own_questions_are_made_on_a_dev_file(encoder, tmp_path, kind, rows):
    data, dev = lines(tmp_path / "all.jsonl", rows), lines(tmp_path / "dev.jsonl", rows[:24])
    some = {**BRIEF, "restarts": 1, "epochs": 1, "dev": str(dev)}
    record = finetune(data=data, kind=kind, model=encoder, out=tmp_path / "run", **some)
    assert record.data["dev"] == 24
    assert record.finding("warning.dev_in_training")


@pytest.mark.parametrize(("choices", "said"), [
    ({"recipe": "papr"}, "did you mean 'paper'"),
    ({"restarts": 0}, "--restarts 0 is out of range"),
    ({"grid": "paper", "dev": 0.0}, "grid search needs a dev part"),
    ({"learning_rat": 1}, "no setting 'learning_rat'; did you mean 'learning_rate'"),
    ({"batchsize": 1}, "no setting 'batchsize'; did you mean 'batch_size'"),
    ({"num_train_epochs": 1}, "no setting 'num_train_epochs'; did you mean 'epochs'"),
    ({"learn_form": 1}, "no setting 'learn_form'; did you mean 'learn_from'"),
    ({"warmup": 1}, "no setting 'warmup'; available: 'model'"),
    ({"limit": 100}, "limit goes with a file of your own"),
    ({"text_b": "other"}, "text-b goes with a file of your own"),
    ({"pooling": "pooled"}, "no pooling 'pooled'"),
    ({"features": "last"}, "--features: sample is not a tagging task"),
    ({"crf": True}, "--crf: sample is not a tagging task; leave --crf out"),
    ({"dev": "0.7"}, "--dev 0.7 is out of range; give a share from 0 to 0.5, or a file"),
    ({"dev": "dev.csv"}, "--dev: a dev file .dev.csv. goes with a file of your own"),
    ({"context": 64}, "--context: sample is not a tagging task"),
])  # fmt: skip
def test_a_choice_that_cannot_be_is_told_in_one_line(encoder, tmp_path, choices, said):
    with pytest.raises(BadInput, match=said):
        finetune(sample_task("single"), **{"model": encoder, "out": tmp_path, "processes": 2, **choices})


@pytest.mark.parametrize(("choices", "error"), [
    ({"metric": "acuracy"}, "--metric: no metric 'acuracy'; did you mean 'accuracy'"),
    ({"metric": "spearman", "kind": "single"}, "--metric: metric 'spearman' does not measure a task of kind single"),
    ({"crf": True, "kind": "single"}, "--crf: my.csv is not a tagging task"),
    ({"pooling": "mean", "kind": "span"}, "--pooling: my.csv makes predictions for words"),
    ({"features": "last", "max_length": 64}, "--max-length: with --features the encoder reads each sentence"),
])  # fmt: skip
def test_a_choice_that_cannot_be_is_refused_before_the_file_is_read(encoder, tmp_path, choices, error):
    unreadable = tmp_path / "my.csv"
    unreadable.write_bytes(b"\x00\xff\x00\xff")
    with pytest.raises(BadInput, match=error):
        finetune(data=unreadable, model=encoder, out=tmp_path / "out", **choices)


def test_a_strategy_that_there_is_none_of_is_told_before_work_begins(encoder, tmp_path):
    with pytest.raises(BadInput, match="no features 'lats'; did you mean 'last'"):
        finetune(sample_task("tags"), model=encoder, out=tmp_path, processes=2, features="lats")


@pytest.mark.parametrize("kind", ["single", "tags"])
def test_a_model_of_lstms_over_pieces_learns_in_every_layer_and_is_saved(tmp_path, kind):
    model, task = write_language_model(tmp_path / "bilm", "bilm"), sample_task(kind, 60)
    finetune(task, model=str(model), out=tmp_path / "out", max_length=24, **{**BRIEF, "epochs": 1, "restarts": 1})
    before, after = (load(str(each)).model.body.state_dict() for each in (model, tmp_path / "out" / "model"))
    assert not any(torch.equal(before[name], after[name]) for name in before)


def test_a_model_of_characters_is_not_fine_tuned_and_says_so_at_once(tmp_path):
    with pytest.raises(BadInput, match="reads characters"):
        finetune(sample_task("single"), model=str(write_elmo(tmp_path / "elmo")), out=tmp_path / "out", processes=1)


def test_rows_without_a_text_are_counted_and_have_no_answer(run, tmp_path):
    notes = []
    (tmp_path / "in.jsonl").write_text('{"text": "good"}\n{"text": " "}\n{"text": null}\n')
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    assert predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.jsonl", progress=told).rows == 3
    assert any("2 rows without a text, and so without a prediction" in note for note in notes)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [answer["label"] is None for answer in answers] == [False, True, True]
    assert answers[1] == {"id": 1, "label": None, "probabilities": None}


def test_a_row_without_its_second_text_is_not_told_to_name_the_first_one_so():
    roles = ColumnRoles(kind="pair", pairs=True)
    with pytest.raises(BadInput, match=r"no column for the second text.*'text_b'; available: 'other'"):
        roles.cell(InputRow({"text": "a", "other": "b"}, "line 1"), "second")


def test_a_row_that_lacks_what_is_asked_leaves_no_answers(run, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"txt": "good"}\n{"txt": "bad"}\n')
    with pytest.raises(BadInput, match=r"in\.jsonl, line 1: this row has no column for the text"):
        predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    with pytest.raises(BadInput, match="unknown kind of file"):
        predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.xls")
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        predict(tmp_path, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.slow
def test_two_processes_and_one_give_the_same_record(encoder, tmp_path):
    records = [
        finetune(sample_task("single"), model=encoder, out=tmp_path / str(count), **{**BRIEF, "processes": count})
        for count in (1, 2)
    ]
    assert plain(records[0]) == plain(records[1])


def order_of(encoder, folder):
    task, settings = sample_task("single"), FinetuneSettings(model=encoder, dev=0.0)
    return WorkerSpec(settings, task, dev_split(task, settings.dev, settings.seed), folder)


def test_a_damaged_state_is_said_and_the_run_goes_on_from_the_one_before_it(encoder, tmp_path):
    bench, notes = order_of(encoder, tmp_path).load(), []
    straight = run_to(bench, RunSpec(POINT, 0), tmp_path / "straight", STILL)
    for share in (0.25, 0.5):
        run_to(bench, RunSpec(POINT, 0, share), tmp_path / "stopped", STILL)
    older, newest = sorted((tmp_path / "stopped" / "states").iterdir())
    newest.write_bytes(newest.read_bytes()[:-9])
    found, made = [], []
    step = SimpleNamespace(skip=found.append, advance=lambda amount=1: made.append(amount))
    work = RunSpec(POINT, 0)
    result = run_to(bench, work, tmp_path / "stopped", step, notes.append)
    assert len(found) == 1
    assert found[0] + sum(made) == work.cost(bench.split) > result.steps
    assert found[0] == int(older.name[5:14]) > 0
    assert "is damaged" in notes[0]
    assert f"after step {found[0]} is used" in notes[1]
    assert result.evaluations == straight.evaluations
    assert np.array_equal(result.test, straight.test)


def test_ctrl_c_is_left_to_the_first_process(encoder, tmp_path):
    """A terminal sends it to all of them; the others go on until they are ended."""
    with worker_pool(order_of(encoder, tmp_path), 2, print) as workers, SILENT.step("runs") as step:
        for member in workers.workers:
            os.kill(member.pid, signal.SIGINT)
        (result,) = workers.results([RunSpec(POINT, 0)], step)
    assert result.state in {"finished", "collapsed"}


def test_a_folder_that_no_fine_tuning_made_is_not_written_over(encoder, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="a folder `model` that was not written by finetune"):
        finetune(sample_task("single"), model=encoder, out=tmp_path, **BRIEF)
    assert (tmp_path / "model" / "notes.txt").read_text() == "mine"


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


def test_a_process_that_died_is_told_as_that_with_what_can_be_done(encoder, tmp_path):
    with worker_pool(order_of(encoder, tmp_path), 2, print) as workers, SILENT.step("runs") as step:
        for member in workers.workers:
            member.kill()
            member.join()
        with pytest.raises(WordworthError, match=r"a process died.*the same command goes on.*--processes"):
            workers.results([RunSpec(POINT, 0)], step)


def test_a_device_that_is_not_there_is_told_in_one_line(encoder, tmp_path):
    for wrong in ("abacus", "cuda:99"):
        with pytest.raises(BadInput, match="no device"):
            finetune(sample_task("single", 40), model=encoder, out=tmp_path / "run", device=wrong, **BRIEF)


@pytest.mark.parametrize(
    ("kind", "choices", "said"),
    [
        (
            "tags",
            {"features": "last", "context": 64},
            "--context: with --features the encoder reads each sentence alone",
        ),
        ("tags", {"features": "last", "embeddings": False}, "--no-embeddings: with --features"),
        ("tags", {"pooling": "mean"}, "--pooling: sample makes predictions for words"),
        ("span", {"pooling": "mean"}, "--pooling: sample makes predictions for words"),
    ],
)
def test_what_would_do_nothing_is_refused(encoder, tmp_path, kind, choices, said):
    with pytest.raises(BadInput, match=re.escape(said)):
        finetune(sample_task(kind, 60), model=encoder, out=tmp_path, **{**BRIEF, **choices})


def test_the_interval_of_a_score_without_a_least_holds_its_mean(encoder, tmp_path):
    hopeless = {**BRIEF, "learning_rate": 1e-9, "epochs": 1}
    (row,) = [
        row
        for row in finetune(sample_task("regression", 120), model=encoder, out=tmp_path, **hopeless)
        .table("scores")
        .to_dict("records")
        if row["metric"] == "r2"
    ]
    assert row["low"] <= row["mean"] <= row["high"]
    assert row["mean"] < 0


@pytest.mark.parametrize(("device", "processes"), [("cuda", 4), ("cuda:1", 1), ("cpu", 2)])
def test_a_run_a_gpu_but_of_one_that_is_named_one_at_a_time(monkeypatch, device, processes):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 4)
    monkeypatch.setattr(study, "available_cpus", lambda: 2)
    assert study._processes(FinetuneSettings(device=device, restarts=9, threads=1), 1) == processes
