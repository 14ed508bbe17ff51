"""Names of tasks: what there is, what to learn from, and what is said where files are missing."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import DATA, needs, write

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.tasks import datasets as room
from wordworth.tasks import task_types
from wordworth.tasks.datasets import find_dataset_spec, named_task, names
from wordworth.tasks.formats import dataset_spec
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types import can_measure


@pytest.fixture(autouse=True)
def no_hub(monkeypatch):
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda _: None)


@pytest.mark.parametrize("name", names())
def test_every_name_has_a_task_that_knows_itself(name: str) -> None:
    task = find_dataset_spec(name)
    assert task.name == name
    assert task.held_out in task.part_names
    assert all(can_measure(metric(name, task.classes), task_types.get(task.kind)) for name in task.metrics)


@pytest.mark.parametrize("name", names())
def test_missing_files_are_asked_for_by_name_and_place(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    with pytest.raises(BadInput, match=r"put .*\.(tsv|csv|json|jsonl|train|txt) .*into \$WORDWORTH_DATA/\w+/"):
        named_task(name)


def test_a_misspelt_name_gets_the_near_one() -> None:
    with pytest.raises(BadInput, match="did you mean 'squad2'"):
        find_dataset_spec("sqaud2")
    with pytest.raises(BadInput, match="cola has no variants"):
        find_dataset_spec("cola:fr")
    with pytest.raises(BadInput, match="no language 'kl'"):
        find_dataset_spec("xnli:kl")


def test_listing_the_names_imports_no_task() -> None:
    code = "import sys, wordworth.tasks.datasets as n; n.names(); print('wordworth.tasks.datasets.cola' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_task_can_learn_from_another_of_its_kind() -> None:
    needs("squad_shifts")
    task = named_task("squad1", folder=DATA, learn_from="squadshifts_new_wiki")
    assert (len(task.train), len(task.test)) == (7938, 10_570)
    assert task.warnings[0].text == (
        "Learns from squadshifts_new_wiki's test part (7,938 examples), measured on squad1's dev part (10,570)."
    )


def test_a_task_without_a_training_part_learns_from_the_one_it_was_made_for() -> None:
    needs("xnli_ko")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDWORTH_DATA", str(DATA))
        task = named_task("xnli_ko")
        aymara = named_task("americasnli:aym", held_out="test")
    assert (len(task.train), len(task.test)) == (8999, 2490)
    assert len(aymara.test) == 750


def test_tasks_that_ask_something_else_are_no_teachers() -> None:
    with pytest.raises(BadInput, match="conll2003 is of kind tagging, cola of kind classification"):
        named_task("cola", learn_from="conll2003")
    with pytest.raises(BadInput, match="learn from a task with the same classes"):
        named_task("rte", learn_from="mnli")


OFFERED = DatasetSpec(
    name="mine",
    title="Is it mine?",
    source="me",
    kind="single",
    classes=("no", "yes"),
    metrics=("accuracy",),
    folders=("mine",),
    layouts=(
        FileLayout(
            files={"train": "a.csv", "dev": "b.csv"},
            read=TextTableReader(first="text", label="label", classes=("no", "yes")),
        ),
    ),
)


def test_another_package_can_offer_a_task(tmp_path: Path, monkeypatch) -> None:
    point = EntryPoint("mine", f"{__name__}:OFFERED", room.ENTRY_POINTS)
    monkeypatch.setattr(room, "entry_points_of", lambda group: [point] if group == "wordworth.tasks" else [])
    monkeypatch.setattr(EntryPoint, "load", lambda _: OFFERED)
    assert "mine" in names()
    text = "text,label\nthis,yes\nthat,no\n"
    task = named_task("mine", folder=write(tmp_path, {"a.csv": text, "b.csv": text}))
    assert task.gold(task.test).tolist() == [1, 0]


def test_what_is_no_task_is_refused(monkeypatch) -> None:
    point = EntryPoint("mine", "package:thing", room.ENTRY_POINTS)
    monkeypatch.setattr(room, "entry_points_of", lambda group: [point])  # noqa: ARG005 - the library's name
    monkeypatch.setattr(EntryPoint, "load", lambda _: object())
    with pytest.raises(BadInput, match="package:thing is not a DatasetSpec"):
        find_dataset_spec("mine")
