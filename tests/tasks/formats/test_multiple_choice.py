"""Questions with options, from SWAG's and HellaSwag's own files."""

import json
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

SWAG = (
    ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label\n"
    '0,v,1,x,"She opens the door, slowly.",She,gold,walks in.,flies.,is a door.,sings.,0\n'
)
HELLASWAG = {"ind": 4, "ctx_a": "A man sits.", "ctx_b": "he", "ctx": "A man sits. he", "label": 2}


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


def test_a_copy_of_the_validation_part_alone_is_split_in_blocks_of_neighbours(tmp_path: Path) -> None:
    rows = [
        {"activity": "Sumo", "context": f"Row {number}. he", "label": 1, "endings": ["a.", "b.", "c.", "d."]}
        for number in range(260)
    ]
    file = "".join(json.dumps(row) + "\n" for row in rows)
    task = named_task("hellaswag", folder=write(tmp_path, {"val.jsonl": file}))
    tested = [task.examples.first[row] for row in task.test]
    assert tested == [f"Row {number}. he" for number in (*range(50), *range(250, 260))]
    assert not {task.examples.first[row] for row in task.train} & set(tested)
    assert any("a fifth of the official validation part" in finding.text for finding in task.warnings)
