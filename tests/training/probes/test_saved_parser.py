"""A parser's folder gives the parser back, and says so when it is damaged."""

import json

import numpy as np
import pytest
from tests.training.probes.test_biaffine_parser import batch_of, drawn_parser

from wordworth.errors import BadInput
from wordworth.training.probes.saved_parser import SavedParser

RELATIONS = ("obj", "punct", "root")


@pytest.fixture
def folder(tmp_path):
    SavedParser(drawn_parser(), RELATIONS, "mini", "abc").write(tmp_path / "parser")
    return tmp_path / "parser"


def test_a_parser_is_read_back_in_half_precision(folder):
    read = SavedParser.read(folder)
    assert (read.relations, read.model, read.fingerprint) == (RELATIONS, "mini", "abc")
    for name, value in drawn_parser().state_dict().items():
        assert np.array_equal(read.parser.state_dict()[name].numpy(), value.half().float().numpy())
    assert len(read.parser.parse(batch_of([4, 3]))[0]) == 7


def without_relations(path):
    path.write_text(json.dumps({"model": "mini", "fingerprint": "abc"}))


def one_relation(path):
    path.write_text(json.dumps({"relations": ["obj"], "model": "mini", "fingerprint": "abc"}))


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_text("{"), without_relations,
                                    one_relation])  # fmt: skip
def test_a_damaged_folder_is_said(folder, damage):
    damage(folder / "parser.json")
    with pytest.raises(BadInput, match="no folder of a parser"):
        SavedParser.read(folder)
