"""What a fine-tuned model answers, and that it reads a file as its training did."""

import json
from types import SimpleNamespace

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.tasks.test_own_questions import lines, spans, squad

from wordworth.progress import SILENT
from wordworth.studies.finetune import finetune
from wordworth.studies.finetune.predict import predict

BRIEF = {"restarts": 1, "rate": 3e-3, "epochs": 1, "dev": 0.2, "processes": 1}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("predict") / "tiny"))


def unanswered(count=80):
    """Every other question has no answer in its context."""
    return [row if number % 2 else row | {"answers": []} for number, row in enumerate(spans(count))]


@pytest.mark.parametrize(("rows", "doubted"), [(spans(), {}), (unanswered(), {"no_answer": 1.0})])
def test_in_an_empty_context_no_answer_is_found_and_that_is_said(encoder, tmp_path, rows, doubted):
    finetune(data=lines(tmp_path / "asked.jsonl", rows), kind="span", model=encoder, out=tmp_path / "run", **BRIEF)
    empty = [{"question": "what was it?", "context": context, "answers": []} for context in ("", " \n")]
    notes = []
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    predict(tmp_path / "run", lines(tmp_path / "in.jsonl", empty), tmp_path / "out.jsonl", progress=told)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [answer | {"id": 0} for answer in answers] == [{"id": 0, "answer": "", "start": None, **doubted}] * 2
    (tmp_path / "in.json").write_text(json.dumps(squad(empty)))
    predict(tmp_path / "run", tmp_path / "in.json", tmp_path / "out.json", progress=told)
    assert json.loads((tmp_path / "out.json").read_text()) == {"q0": "", "q1": ""}
    assert sum("2 rows without a text" in note for note in notes) == 2
