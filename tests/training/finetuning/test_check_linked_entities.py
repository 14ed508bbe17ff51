"""Texts of a task that link to an entity which the model lacks are refused before a fine-tuning begins."""

import pytest
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture

from wordworth.models.load import load
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.text.unknown_entity import UnknownEntity
from wordworth.training.finetuning.check_linked_entities import require_entities


def task_of(path, entity):
    rows = [f"{n} a,{n} the [[{entity if n == 7 else 'Q1'}|cab]],{'yes' if n % 2 else 'no'}" for n in range(30)]
    path.write_text("first,second,label\n" + "\n".join(rows) + "\n")
    return read_task(path, ReadSettings(text="first", text_b="second", label="label"))


def test_the_file_and_line_of_the_link_are_named(fused_folder, tmp_path):  # noqa: F811
    task = task_of(tmp_path / "pairs.csv", "Q99")
    with pytest.raises(UnknownEntity, match=r"pairs\.csv, line 9: the text '7 the \[\[Q99\|cab\]\]' links to 'Q99'"):
        require_entities(load(str(fused_folder)), task)


def test_known_entities_and_models_without_any_are_let_through(fused_folder, tmp_path):  # noqa: F811
    require_entities(load(str(fused_folder)), task_of(tmp_path / "known.csv", "Q5"))
    require_entities(load(str(fused_folder.parent / "encoder")), task_of(tmp_path / "plain.csv", "Q99"))
