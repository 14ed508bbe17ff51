"""Dialogue files: turns with speakers, in two spellings, and DREAM's own files; what is no dialogue is refused."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.text.dialogue_files import Dialogue, read_dialogues

TURNS = [{"speaker": "Ann", "text": "Hello: you!"}, {"speaker": "Bob", "text": " Hi. "}, {"speaker": "Ann", "text": ""}]


def read(folder, *rows, name="d.jsonl"):
    text = json.dumps(rows) if name.endswith(".json") else "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name).write_text(text)
    return list(read_dialogues([folder / name]))


def test_turns_are_objects_or_texts_with_a_speaker_and_empty_ones_are_left_out(tmp_path):
    spoken = ["Ann: Hello: you!", "Bob: Hi.", "Ann:  "]
    expected = Dialogue(("Hello: you!", "Hi."), (0, 1))
    assert read(tmp_path, {"turns": TURNS}, {"turns": spoken}) == [expected, expected]


def test_speakers_are_numbered_as_they_appear(tmp_path):
    (dialogue,) = read(tmp_path, {"turns": ["W: a", "M: b", "M: c", "Guard: d", "W: e"]})
    assert dialogue.speakers == (0, 1, 1, 2, 0)


def test_files_of_dream_are_read_as_they_are(tmp_path):
    entry = [["M: I am late.", "W: You are."], [{"question": "?", "choice": ["a"], "answer": "a"}], "1-1"]
    assert read(tmp_path, entry, name="dev.json") == [Dialogue(("I am late.", "You are."), (0, 1))]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"text": "a"}, "has no turns"),
        ({"turns": []}, "has no turns"),
        ({"turns": ["hello"]}, "names no speaker"),
        ({"turns": [{"text": "hello"}]}, "names no speaker"),
        ({"turns": [{"speaker": "A"}]}, "has no text"),
    ],
)
def test_a_line_that_is_no_dialogue_is_refused_with_its_number(row, says, tmp_path):
    with pytest.raises(BadInput, match=says) as error:
        read(tmp_path, {"turns": TURNS}, row)
    assert error.value.where.endswith("d.jsonl, line 2")
    assert '"turns"' in error.value.mend


def test_another_json_is_refused(tmp_path):
    with pytest.raises(BadInput, match="does not hold dialogues as DREAM's files do"):
        read(tmp_path, {"turns": TURNS}, name="d.json")
