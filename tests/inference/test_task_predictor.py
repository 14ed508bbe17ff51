import json

import numpy as np
import pytest
from tests.inference.tuned_model import BRIEF, write_tuned
from tests.tasks.reading.test_question_files import lines

from wordworth.errors import BadInput
from wordworth.inference.predict import predict
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task


def test_what_the_answers_were_computed_in_is_said_and_can_be_chosen(encoder, tmp_path):
    rows = [{"text": f"{'good ' * (number % 9)}film {number}", "stars": number % 9 / 2} for number in range(60)]
    data = lines(tmp_path / "learned.jsonl", rows)
    finetune(data=data, text="text", label="stars", kind="regression", model=encoder, out=tmp_path / "run", **BRIEF)

    def values(dtype):
        answered = predict(tmp_path / "run", data, tmp_path / "out.jsonl", dtype=dtype)
        return answered.dtype, [json.loads(line)["value"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]

    (exact, floats), (rounded, halves), automatic = values("float32"), values("bfloat16"), values("auto")
    assert (exact, rounded) == ("float32", "bfloat16")
    assert 0 < np.abs(np.subtract(floats, halves)).max() < 0.2
    assert automatic in [(exact, floats), (rounded, halves)]
    with pytest.raises(BadInput, match="no dtype 'float64'"):
        values("float64")


@pytest.mark.parametrize("kind", ["classification", "regression", "multilabel"])
def test_each_text_is_answered_as_it_is_alone(kind, tmp_path):
    predictor = TaskPredictor.read(write_tuned(tmp_path, kind=kind), dtype="float32")
    texts = sample_task(kind, 9).examples
    together = predictor.answers(texts)
    alone = [answer for row in range(9) for answer in predictor.answers(texts.take(np.array([row])))]
    key = predictor.task_type.answer_key
    expected = [one[key] for one in alone]
    assert [one[key] for one in together] == (pytest.approx(expected, abs=1e-5) if kind == "regression" else expected)
    assert predictor.network is not None


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        TaskPredictor.read(tmp_path)
