"""Endings: the published layouts, and one of your own."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.studies.commonsense.ending_sets import ending_items, layout_of
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import RawFile


def items(**row):
    table = read_table(RawFile("e.jsonl", ".jsonl", "0", json.dumps(row).encode()))
    return list(ending_items(layout_of(table), table))


def test_copas_causes_and_effects_are_joined_to_their_premise():
    row = {"premise": "It rained.", "choice1": "The road was wet.", "choice2": "I slept.", "label": 0}
    (cause,) = items(**row, question="cause")
    assert cause.texts == ["It rained because the road was wet.", "It rained because I slept."]
    (effect,) = items(**row, question="effect")
    assert effect.texts[0] == "It rained so the road was wet."


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "He ate. Then", "ending0": "a", "ending1": "b", "ending2": "c", "ending3": "d"},
        {"sent1": "He ate.", "sent2": "Then", "ending0": "a", "ending1": "b", "ending2": "c", "ending3": "d"},
        {"ctx_a": "He ate.", "ctx_b": "Then", "endings": ["a", "b", "c", "d"]},
        {"context": "He ate. Then ", "endings": ["a", "b", "c", "d"]},
    ],
)
def test_every_layout_gives_the_same_item(row):
    (item,) = items(**row, label=2)
    assert item.texts == ["He ate. Then a", "He ate. Then b", "He ate. Then c", "He ate. Then d"]
    assert item.answer == 2


@pytest.mark.parametrize("row", [{"label": 4}, {"label": ""}, {"label": 0, "endings": ["a"]}])
def test_a_label_that_is_no_ending_and_a_single_ending_are_refused(row):
    with pytest.raises(BadInput, match=r"e.jsonl, line 1"):
        items(**{"context": "He ate.", "endings": ["a", "b"], **row})


def test_other_columns_are_no_endings():
    assert layout_of(read_table(RawFile("t.csv", ".csv", "0", b"text,label\na,b\n"))) is None
