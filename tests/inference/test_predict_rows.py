import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.inference.tuned_model import BRIEF, unanswered
from tests.tasks.reading.test_question_files import lines, spans, squad

from wordworth.errors import BadInput
from wordworth.inference.predict import predict
from wordworth.inference.predict_rows import answered_rows, blank_rows, require_questions
from wordworth.inference.predict_settings import PredictSettings
from wordworth.inference.predictor_base import PredictorBase
from wordworth.progress import SILENT
from wordworth.studies.finetune import finetune
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples


def test_a_row_without_the_texts_key_has_no_answer_as_a_row_with_an_empty_text(encoder, tmp_path):
    rows = [{"text": f"{'good' if number % 2 else 'bad'} film {number}", "label": number % 2} for number in range(60)]
    finetune(data=lines(tmp_path / "learned.jsonl", rows), model=encoder, out=tmp_path / "run", **BRIEF)
    input_file = lines(tmp_path / "asked.jsonl", [{"note": "x"}, {"text": "good film"}, {"text": None}, {}])
    notes = []
    progress = SimpleNamespace(step=SILENT.step, note=notes.append)
    assert predict(tmp_path / "run", input_file, tmp_path / "out.jsonl", progress=progress).rows == 4
    labels = [json.loads(line)["label"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [label is None for label in labels] == [True, False, True, True]
    assert [note.partition(": ")[2] for note in notes] == ["3 rows without a text, and so without a prediction"]


@pytest.mark.parametrize(("rows", "doubted"), [(spans(), {}), (unanswered(), {"no_answer": 1.0})])
def test_an_empty_question_has_no_answer(encoder, tmp_path, rows, doubted):
    finetune(data=lines(tmp_path / "asked.jsonl", rows), kind="span", model=encoder, out=tmp_path / "run", **BRIEF)
    empty = [{"question": question, "context": rows[0]["context"], "answers": []} for question in ("", " \n")]
    predict(tmp_path / "run", lines(tmp_path / "in.jsonl", empty), tmp_path / "out.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [answer.pop("input")["question"] for answer in answers] == [row["question"] for row in empty]
    values = {"answer": "", "prediction": "", "start": None, **doubted}
    assert answers == [{"id": number, "row": number, **values} for number in range(2)]
    (tmp_path / "in.json").write_text(json.dumps(squad(empty)))
    predict(tmp_path / "run", tmp_path / "in.json", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == {"q0": "", "q1": ""}


class Lengths(PredictorBase):
    """Predicts of each text how many characters it has, and keeps how many texts it was given at a time."""

    dtype = "float32"

    def __init__(self, **facts):
        self.facts = {"kind": "regression", "classes": [], "second": False, "columns": ["text"], **facts}
        self.blocks = []

    def answers(self, examples):
        self.blocks.append(len(examples))
        return [{"value": float(len(text))} for text in examples.first]


def answered(predictor, source, heard, **columns):
    with answered_rows(predictor, source, PredictSettings(**columns), heard) as (rows, _, counts):
        return list(rows), counts


def test_rows_are_answered_in_their_order_block_by_block_and_counted(tmp_path, heard):
    texts = ["x" * (number % 7) for number in range(2_500)]
    predictor = Lengths()
    rows, counts = answered(predictor, lines(tmp_path / "in.jsonl", [{"text": text} for text in texts]), heard)
    assert [row.answer["value"] for row in rows] == [float(len(text)) if text else None for text in texts]
    assert [row.number for row in rows] == list(range(2_500))
    assert max(predictor.blocks) < 2_500 == sum(predictor.blocks)
    assert (counts.rows, counts.empty) == (2_500, texts.count(""))
    assert f"{texts.count(''):,} rows without a text" in heard.notes[-1]


def test_a_model_that_reads_neighbours_gets_all_rows_at_once_and_unmarked_documents_are_told(tmp_path, heard):
    predictor = Lengths(context=2)
    answered(predictor, lines(tmp_path / "in.jsonl", [{"text": "x"}] * 2_500), heard)
    assert predictor.blocks == [2_500]
    assert "no documents are marked" in heard.notes[-1]


def test_a_column_that_was_guessed_is_told_and_one_that_was_named_is_not(tmp_path, heard):
    source = lines(tmp_path / "in.jsonl", [{"sentence": "good film"}])
    rows, _ = answered(Lengths(), source, heard)
    assert rows[0].answer["value"] == 9
    assert "texts are read from column 'sentence', as there is no 'text'" in heard.notes[0]
    heard.notes.clear()
    answered(Lengths(), source, heard, text="sentence")
    assert heard.notes == []


def test_a_file_without_rows_is_told_to_have_none(tmp_path, heard):
    source = tmp_path / "in.csv"
    source.write_text("text\n")
    rows, counts = answered(Lengths(), source, heard)
    assert (rows, counts.rows) == ([], 0)
    assert "there are no rows" in heard.notes[0]


@pytest.mark.parametrize(
    ("examples", "blank"),
    [
        (Examples(("a", "", " \n")), [False, True, True]),
        (Examples(("a", "", "b"), second=("x", "y", "")), [False, True, True]),
        (Examples(("", "a"), second=("", ""), options=(("x", "y"),) * 2), [True, False]),  # a question may be missing
    ],
)
def test_a_row_is_blank_where_a_text_that_it_needs_is(examples, blank):
    assert blank_rows(examples) == blank


def test_a_squad_file_is_refused_by_a_model_of_another_kind():
    require_questions(task_types.get("question_answering"), Path("dev.json"))
    with pytest.raises(BadInput, match=r"dev\.json: .*task of kind classification"):
        require_questions(task_types.get("classification"), Path("dev.json"))
