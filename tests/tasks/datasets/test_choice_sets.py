"""Multiple choice: SWAG, HellaSwag, CODAH and DREAM from their own files."""

import json
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import DATA, needs, write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

SWAG = (
    ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label\n"
    '0,v,1,x,"She opens the door, slowly.",She,gold,walks in.,flies.,is a door.,sings.,0\n'
)
HELLASWAG = {"ind": 4, "ctx_a": "A man sits.", "ctx_b": "he", "ctx": "A man sits. he", "label": 2}
QUESTION = {"question": "Who left?", "choice": ["He.", "She.", "Both."], "answer": "She."}
DREAM = [[["M: Hi.", "W: Bye."], [QUESTION], "7-1"]]


def test_swag(tmp_path: Path) -> None:
    task = named_task("swag", folder=write(tmp_path, {"train.csv": SWAG, "val.csv": SWAG}))
    assert (task.examples.first[0], task.examples.second) == ("She opens the door, slowly.", ("She", "She"))
    assert task.examples.options is not None
    assert task.examples.options[0] == ("walks in.", "flies.", "is a door.", "sings.")
    assert task.gold(task.test).tolist() == [0]


def test_hellaswag(tmp_path: Path) -> None:
    line = json.dumps(HELLASWAG | {"endings": ["a.", "b.", "c.", "d."]}) + "\n"
    files = {"hellaswag_train.jsonl": line, "hellaswag_val.jsonl": line}
    task = named_task("hellaswag", folder=write(tmp_path, files))
    assert (task.examples.options or ())[0] == ("a.", "b.", "c.", "d.")
    assert (task.kind, task.gold(task.test).tolist()) == ("multiple_choice", [2])


def test_a_hidden_label_is_said_to_be_hidden(tmp_path: Path) -> None:
    hidden = SWAG.replace("sings.,0", "sings.,-1")
    with pytest.raises(BadInput, match="line 2: label '-1' is not one of 0 to 3; this part's labels may not be public"):
        named_task("swag", folder=write(tmp_path, {"train.csv": SWAG, "val.csv": hidden}))


def test_dream(tmp_path: Path) -> None:
    files = dict.fromkeys(("train.json", "dev.json", "test.json"), json.dumps(DREAM))
    task = named_task("dream", folder=write(tmp_path, files), held_out="test")
    assert (task.examples.first[1], (task.examples.second or ())[1]) == ("M: Hi. W: Bye.", "Who left?")
    assert (task.gold(task.test).tolist(), (task.examples.ids or ())[1]) == ([1], "7-1/0")


def test_an_answer_that_is_no_choice_is_refused(tmp_path: Path) -> None:
    broken = json.dumps(DREAM).replace('"answer": "She."', '"answer": "Nobody."')
    with pytest.raises(BadInput, match="question 0 of dialogue '7-1'"):
        named_task("dream", folder=write(tmp_path, {"train.json": broken, "dev.json": broken}))


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not one of DREAM's files"):
        named_task("dream", folder=write(tmp_path, {"train.json": '{"a": 1}', "dev.json": "[]"}))


def test_the_real_sets_have_their_published_sizes() -> None:
    needs("codah")
    codah, dream = named_task("codah", folder=DATA), named_task("dream", folder=DATA)
    assert (len(codah.train), len(codah.test)) == (2220, 556)  # 2,776 in all
    assert (len(dream.train), len(dream.test)) == (6116, 2040)
    assert {len(options) for options in dream.examples.options or ()} == {3}
