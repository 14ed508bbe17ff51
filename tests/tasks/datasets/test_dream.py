"""DREAM from its own files."""

import json
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

QUESTION = {"question": "Who left?", "choice": ["He.", "She.", "Both."], "answer": "She."}
DREAM = [[["M: Hi.", "W: Bye."], [QUESTION], "7-1"]]


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
