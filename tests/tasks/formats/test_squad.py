"""SQuAD's files: questions, answers at their offsets, and what happens where they are not."""

import json
from pathlib import Path

import pandas as pd
import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task
from wordworth.tasks.formats import dataset_spec
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task import Answer
from wordworth.text.read_compressed_file import read_raw

CONTEXT = "Ada Lovelace wrote notes. Babbage built an engine."


def squad(*questions: tuple[str, list[tuple[str, int]]]) -> str:
    entries = [
        {"id": name, "question": f"{name}?", "answers": [{"text": t, "answer_start": s} for t, s in answers]}
        for name, answers in questions
    ]
    return json.dumps(
        {"version": "1.1", "data": [{"title": "x", "paragraphs": [{"context": CONTEXT, "qas": entries}]}]}
    )


GOOD = squad(("who", [("Ada Lovelace", 0), ("Ada", 0)]), ("what", [("an engine", 40)]), ("why", []))


def files(train: str, dev: str) -> dict[str, str]:
    return {"train-v2.0.json": train, "dev-v2.0.json": dev}


def test_questions_contexts_ids_and_answers(tmp_path: Path) -> None:
    task = named_task("squad2", folder=write(tmp_path, files(GOOD, GOOD)))
    assert task.kind == "question_answering"
    assert (task.examples.first[0], (task.examples.second or ())[0]) == ("who?", CONTEXT)
    assert task.examples.ids == ("who", "what", "why") * 2
    assert task.answers[0] == (Answer("Ada Lovelace", 0), Answer("Ada", 0))
    assert task.gold(task.test).tolist() == list(task.answers[3:])
    assert task.answers[2] == ()


def test_an_impossible_question_has_no_answer_whatever_its_plausible_ones(tmp_path: Path) -> None:
    whole = json.loads(GOOD)
    whole["data"][0]["paragraphs"][0]["qas"][0]["is_impossible"] = True
    task = named_task("squad2", folder=write(tmp_path, files(json.dumps(whole), GOOD)))
    assert task.answers[0] == ()


def test_a_few_misplaced_answers_are_counted_and_not_learned_from(tmp_path: Path) -> None:
    many = [(f"q{n}", [("an engine", 40)]) for n in range(40)]
    train = squad(*many, ("off", [("an engine", 41)]))
    task = named_task("squad2", folder=write(tmp_path, files(train, train)))
    assert (len(task.train), len(task.test)) == (40, 41)
    assert task.answers[40] == (Answer("an engine", -1),)
    (note, _) = [note for note in task.warnings if note.name == "warning.misplaced_answers"]
    assert "1 of 41 answers does not stand at the answer_start (question 'off': 'an engine' at 41)" in note.text


def test_many_misplaced_answers_are_one_clear_error(tmp_path: Path) -> None:
    shifted = squad(("who", [("Ada", 1)]), ("what", [("an engine", 40)]))
    with pytest.raises(BadInput, match=r"1 of 2 answers does not stand at the answer_start.*not in bytes"):
        named_task("squad2", folder=write(tmp_path, files(shifted, GOOD)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "not a SQuAD file"),
        ('{"data": [{"title": "x"}]}', "no 'paragraphs'"),
        ('{"data": []}', "no questions"),
        ('{"data": [{"paragraphs": [{"context": "x", "qas": [["who"]]}]}]}', "not a SQuAD file"),
        (
            '{"data": [{"paragraphs": [{"context": 5, "qas": [{"id": 1, "question": "?", "answers": []}]}]}]}',
            "not a string",
        ),
        ('{"data"', "not a SQuAD file"),
        (squad(("who", []), ("who", [])), "two questions have the id 'who'"),
    ],
)
def test_a_broken_file_is_one_clear_error(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        named_task("squad2", folder=write(tmp_path, files(text, GOOD)))


def test_the_hubs_parquet_holds_the_same(tmp_path: Path, monkeypatch) -> None:
    row = {
        "id": "who",
        "title": "x",
        "context": CONTEXT,
        "question": "who?",
        "answers": {"text": ["Ada Lovelace", "Ada"], "answer_start": [0, 0]},
    }
    (tmp_path / "squad_v2").mkdir()
    for part in ("train", "validation"):
        pd.DataFrame([row]).to_parquet(tmp_path / "squad_v2" / f"{part}-00000-of-00001.parquet")
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda _: tmp_path)
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    assert named_task("squad2").answers[0] == (Answer("Ada Lovelace", 0), Answer("Ada", 0))


def test_questions_to_be_answered_need_no_answers(tmp_path: Path) -> None:
    whole = json.loads(GOOD)
    for entry in whole["data"][0]["paragraphs"][0]["qas"]:
        del entry["answers"]
    write(tmp_path, {"open.json": json.dumps(whole)})
    stored = read_raw(tmp_path / "open.json")
    assert read_questions(stored, answered=False).examples.ids == ("who", "what", "why")
    with pytest.raises(BadInput, match="no 'answers'"):
        read_questions(stored)
