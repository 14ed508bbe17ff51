"""A kind of task of another package brings a head of its own: it is learned, kept and answered as ours are."""

import json
from dataclasses import replace

import numpy as np
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.inference.predict import predict
from wordworth.studies.finetune import finetune
from wordworth.tasks import task_types
from wordworth.tasks.task_types.classification import Classification
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.task_heads import TextHead


class Abstaining(Classification):
    """One class a text, with a word of whether the model is sure of it."""

    name, former_name = "abstaining", ""
    head = f"{__name__}:make_head"


class AbstainingHead(TextHead):
    """Scores of classes; a prediction whose lead is below the least one of the dev part's right ones is not sure."""

    def __init__(self, outputs):
        super().__init__(outputs)
        self.tuned = {"least_lead": 0.0}

    def tune(self, scores, labels, _inputs):
        table = np.concatenate(scores)
        self.tuned["least_lead"] = float(lead(table)[table.argmax(1) == labels].min(initial=9.0))
        return dict(self.tuned)

    def predict_with_details(self, scores, gold, inputs):
        sure = lead(np.concatenate(scores)) >= self.tuned["least_lead"]
        return self.predict(scores, gold, inputs), [{"sure": bool(each)} for each in sure]


def lead(table):
    ordered = np.sort(table, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def make_head(_type, classes, _options):
    return AbstainingHead(len(classes))


def test_a_head_of_another_package_tunes_a_value_that_is_kept_and_adds_to_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(task_types._TYPES, "_loaded", dict(task_types._TYPES._loaded))
    task_types.register(Abstaining())
    task = replace(sample_task("single", 180), kind="abstaining")
    encoder = str(write_tiny_encoder(tmp_path / "tiny"))
    choices = {"restarts": 1, "learning_rate": 3e-3, "epochs": 3, "dev": 0.2, "processes": 1}
    record = finetune(task, model=encoder, out=tmp_path / "run", **choices)
    facts = json.loads((tmp_path / "run" / "model" / "wordworth.json").read_text())
    assert facts["least_lead"] == record.settings["least_lead"] > 0
    (tmp_path / "in.jsonl").write_text('{"text": "good film"}\n{"text": "bad film"}\n')
    predict(tmp_path / "run", tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert all(answer["label"] in task.classes and isinstance(answer["sure"], bool) for answer in answers)
