"""The file of a preregistration: written whole, read with its hash, damage told in one line."""

from __future__ import annotations

import hashlib
import json

import pytest

from wordworth import files
from wordworth.errors import BadInput
from wordworth.studies.worth.preregistration.preregistration_file import FILE, Preregistration

CONTENTS = {
    "wordworth": "1.0",
    "settings": {"margin": 1.0},
    "split": {"test": "5 folds"},
    "rule": {"look": 1},
    "rungs": {"tfidf": "on the ladder"},
    "rows": {"used": 40, "classes": ["grün", "rot"]},
}


@pytest.fixture
def folder(tmp_path):
    Preregistration.of(CONTENTS).save(tmp_path / FILE)
    return tmp_path


def edit(folder, **fields):
    stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
    (folder / FILE).write_text(json.dumps({**stored, **fields}), encoding="utf-8")


def test_what_was_saved_is_read(folder):
    plan = Preregistration.read(folder)
    assert {name: plan.fields[name] for name in CONTENTS} == CONTENTS
    assert plan.sha256 == plan.stated
    assert plan.frozen_at.endswith("Z")


def test_anyone_can_compute_the_hash_with_the_standard_library(folder):
    stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
    stated = stored.pop("sha256")
    whole = json.dumps(stored, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(whole.encode()).hexdigest() == stated


def test_an_edited_file_has_another_hash_than_it_states(folder):
    edit(folder, settings={"margin": 2.0})
    plan = Preregistration.read(folder)
    assert plan.sha256 != plan.stated


def test_a_folder_without_a_plan_and_no_folder_have_none(tmp_path):
    assert Preregistration.read(tmp_path) is None
    assert Preregistration.read(None) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not a whole JSON file"),
        ('{"version": 1, "frozen', "not a whole JSON file"),
        ("[]", "holds an array, not a JSON object"),
        ("{}", "no field 'version'"),
        (b"\xff", "line 1 is not UTF-8"),
    ],
)
def test_a_damaged_file_is_one_clear_error(tmp_path, content, says):
    (tmp_path / FILE).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInput, match=says) as error:
        Preregistration.read(tmp_path)
    assert FILE in str(error.value)
    assert "give another" in str(error.value)


def test_a_field_of_another_type_is_damage(folder):
    edit(folder, rungs=["tfidf"])
    with pytest.raises(BadInput, match="damaged: 'rungs' is"):
        Preregistration.read(folder)


def test_a_file_of_a_newer_version_asks_for_it(folder):
    edit(folder, version=2)
    with pytest.raises(BadInput, match="version 2, newer than 1; pip install -U wordworth"):
        Preregistration.read(folder)


def test_a_process_that_is_stopped_while_it_writes_leaves_nothing(tmp_path, monkeypatch):
    def stop(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "sync", stop)
    with pytest.raises(KeyboardInterrupt):
        Preregistration.of(CONTENTS).save(tmp_path / FILE)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed(tmp_path):
    left = tmp_path / f".{FILE}.999999999.part"
    left.write_text("half")
    Preregistration.of(CONTENTS).save(tmp_path / FILE)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
