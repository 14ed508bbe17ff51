"""Tasks by name and tasks of a user's own."""

import lzma

import numpy as np
import pytest
from tests.studies.layers.small_files import labelled, treebank

from wordworth.errors import BadInput
from wordworth.studies.layers.probing_tasks import TASKS, own_task, read_tasks
from wordworth.studies.layers.settings import LayersSettings


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A folder as `WORDWORTH_DATA`, with small files in place of the treebank's parts."""
    folder = tmp_path / "data" / "syntax" / "ud"
    folder.mkdir(parents=True)
    text = treebank(tmp_path, 60).read_bytes()
    for part in ("train", "dev", "test"):
        (folder / f"en_ewt-ud-{part}.conllu.xz").write_bytes(lzma.compress(text))
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path / "data"))


@pytest.mark.usefixtures("published")
def test_a_published_task_keeps_its_parts():
    pos, dep = read_tasks(LayersSettings(tasks=("pos", "dep"), limit=40))
    assert pos.title == TASKS["pos"].title
    assert [len(part) for part in pos.parts] == [40, 10, 20]
    assert len(pos.texts) == 180
    assert all(np.array_equal(*parts) for parts in zip(pos.parts, dep.parts, strict=True))  # their draws are paired
    assert (pos.sides, dep.sides) == (1, 2)
    assert pos.sources[0]["path"] == "en_ewt-ud-train.conllu.xz"


def test_the_labels_of_a_table_are_one_a_text(tmp_path):
    (task,) = read_tasks(LayersSettings(data=labelled(tmp_path), label="kind"))
    assert task.whole_texts
    assert (task.name, task.kind, task.columns, task.classes) == (
        "kind",
        "classification",
        ("text",),
        ("people", "pets"),
    )
    animal = [noun in task.texts[text] for text in task.text_of for noun in ("cat", "dog", "bird")]
    assert sum(animal) == task.labels[:, 1].sum()


def test_a_name_that_is_near_a_known_one_is_suggested():
    with pytest.raises(BadInput, match="name=file"):
        read_tasks(LayersSettings(tasks=("nre",)))


def test_a_task_of_ones_own_is_named_after_the_column_of_labels_that_was_named_or_guessed(tmp_path):
    path = tmp_path / "films.csv"
    path.write_text(
        "remark,stars\n" + "".join(f"film number {row},{'good' if row % 2 else 'bad'}\n" for row in range(160))
    )
    for choices in ({}, {"label": "stars"}):
        task = own_task(path, LayersSettings(data=path, **choices))
        assert task.name == "stars"
    assert any("'stars' as the label" in finding.text for finding in own_task(path, LayersSettings(data=path)).warnings)
