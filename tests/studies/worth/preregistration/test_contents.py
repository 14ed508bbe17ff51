"""What a preregistration holds, and the hashes in it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.representations.ladder import default_ladder
from wordworth.studies.worth.preregistration.contents import (
    NO_FILES,
    NO_SCORE,
    NOT_AVAILABLE,
    canonical_json,
    contents,
    files_sha256,
    rows_sha256,
    with_outcome,
)
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.settings import ReadSettings, WorthSettings

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def shuffled(value, order):
    """The same value with the names of every object in another order."""
    if isinstance(value, dict):
        names = list(value)
        order.shuffle(names)
        return {name: shuffled(value[name], order) for name in names}
    return [shuffled(inner, order) for inner in value] if isinstance(value, list) else value


@given(VALUES, st.randoms())
def test_the_order_of_names_and_a_file_between_change_no_byte(value, order):
    read_again = json.loads(json.dumps(shuffled(value, order), ensure_ascii=False, indent=1))
    assert canonical_json(read_again) == canonical_json(value)


def test_rows_are_hashed_as_lines_that_anyone_can_write_again():
    made = task(40)
    rows = [2, 5]
    lines = [
        json.dumps([made.examples.first[row], None, None, None, int(made.labels[row])], separators=(",", ":")) + "\n"
        for row in rows
    ]
    assert rows_sha256(made, np.array(rows)) == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert rows_sha256(made, np.array(rows[::-1])) == rows_sha256(made, np.array(rows))


@pytest.mark.parametrize("part", ["text", "label", "group"])
def test_another_text_label_or_group_is_another_hash(part):
    made = task(40)
    texts, labels = list(made.examples.first), made.labels.copy()
    if part == "text":
        texts[3] += "!"
    elif part == "label":
        labels[3] = 1 - labels[3]
    groups = tuple(range(40)) if part == "group" else None
    other = replace(made, examples=replace(made.examples, first=tuple(texts), groups=groups), labels=labels)
    rows = np.arange(10)
    assert rows_sha256(other, rows) != rows_sha256(made, rows)
    assert (rows_sha256(other, rows[4:]) == rows_sha256(made, rows[4:])) == (part != "group")


def test_settings_that_are_numbers_of_numpy_are_plain():
    held = contents(task(40), [], ReadSettings(), WorthSettings(seeds=np.int64(3), margin=np.float64(2)))
    assert json.loads(canonical_json(held))["settings"]["seeds"] == 3


def test_a_model_is_held_by_the_content_of_its_folder(tmp_path):
    for name in ("one", "two", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
        (tmp_path / name / "model.safetensors").write_bytes(b"other" if name == "other" else b"weights")
    one, two, other = (files_sha256(str(tmp_path / name)) for name in ("one", "two", "other"))
    assert one == two != other
    assert files_sha256(str(tmp_path / "none")) == NOT_AVAILABLE


def test_every_rung_of_a_ladder_is_held_by_what_it_is_made_of(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "api.npy").write_bytes(b"vectors")
    ladder = default_ladder("classification", models=[str(tmp_path)], vectors=[str(tmp_path / "api.npy")])
    rungs = contents(task(40), ladder, ReadSettings(), WorthSettings())["rungs"]
    name = tmp_path.name
    assert {rungs[each] for each in ("majority", "tfidf", "random")} == {NO_FILES}
    encoder = {rungs[each] for each in (name, f"tfidf+{name}", f"{name}-static", f"{name}-finetuned")}
    assert encoder == {files_sha256(str(tmp_path))}
    assert rungs["api"] == files_sha256(str(tmp_path / "api.npy")) not in encoder


def test_a_rung_that_failed_has_no_score_unless_it_was_not_there_to_begin_with():
    results = [RungResult(FakeRung(name, "static", constant(0.5))) for name in ("glove", "wordllama", "tfidf")]
    results[0].state, results[1].state = "skipped", "failed"
    planned = {"rungs": {"glove": NOT_AVAILABLE, "wordllama": "abc", "tfidf": NO_FILES}, "rule": {}}
    ran = with_outcome(planned, results, look=2)
    assert ran["rungs"] == {"glove": NOT_AVAILABLE, "wordllama": NO_SCORE, "tfidf": NO_FILES}
    assert (ran["rule"]["look"], ran["rule"]["error_of_this_look"]) == (2, 0.005)
