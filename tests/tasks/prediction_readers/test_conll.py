"""Files of tags, as conlleval reads them."""

from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.prediction_readers.align import ExpectedIds
from wordworth.tasks.prediction_readers.conll import read_tags
from wordworth.tasks.task import Examples

RTE, STSB, CONLL, SWAG = (
    find_dataset_spec("rte"),
    find_dataset_spec("stsb"),
    find_dataset_spec("conll2003"),
    find_dataset_spec("swag"),
)
SENTENCES = (("EU", "rejects"), ("Rome",))
TAGGED = Part(Examples(("EU rejects", "Rome"), words=SENTENCES, ids=("0", "1")), (), ())


def tags(folder: Path, text: str, name: str = "tags.txt") -> list[list[str]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = read_tags(path, CONLL, TAGGED, ExpectedIds("conll2003's dev part", ("0", "1")))
    return [[CONLL.classes[tag] for tag in row] for row in found]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.txt", "I-ORG\nO\n\nI-LOC\n"),
        ("t.txt", "EU I-ORG\nrejects O\n\nRome S-LOC\n\n"),
        ("t.txt", "-DOCSTART- O O\n\nEU\tNNP\tB-ORG\tB-ORG\nrejects\tV\tO\tO\n\n\nRome\tNNP\tB-LOC\tB-LOC\n"),
        ("t.jsonl", '{"tags": ["B-ORG", "O"]}\n{"tags": ["U-LOC"]}\n'),
    ],
)
def test_tags_of_any_scheme_are_read_in_order(tmp_path, name, text):
    assert tags(tmp_path, text, name) == [["B-ORG", "O"], ["B-LOC"]]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("I-ORG\nO\n", "1 predictions where conll2003's dev part has 2 examples"),
        ("I-ORG\n\nI-LOC\n", r"line 1: 1 tags where sentence 1 has 2 words \(EU rejects"),
        ("EU O\naccepts O\n\nRome O\n", "line 2: the word 'accepts' where sentence 1 has 'rejects'"),
        ("O\nO\n\nB-CITY\n", "line 4: tag 'B-CITY'"),
        ("O\nO\n\nLOC\n", "line 4: tag 'LOC' has no prefix, so that conlleval reads no type; write B-LOC"),
        ("O\nO\n\nB-\n", "line 4: tag 'B-'"),
    ],
)
def test_tags_that_do_not_fit_are_said_with_their_place(tmp_path, text, what):
    with pytest.raises(BadInput, match=what):
        tags(tmp_path, text)


def test_a_missing_tag_of_a_list_is_said_with_its_place(tmp_path):
    with pytest.raises(BadInput, match=r"t.jsonl, line 1: tag 2 of 2 is missing"):
        tags(tmp_path, '{"tags": ["B-ORG", null]}\n{"tags": ["B-LOC"]}\n', "t.jsonl")
