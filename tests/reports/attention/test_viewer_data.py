"""What the script of a page reads: names that are harmless, and maps within one page's room."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from tests.measures.test_attention_maps import softmax_maps, some_maps

from wordworth.measures.attention_maps import Vectors
from wordworth.records import Record
from wordworth.reports.attention import viewer_data
from wordworth.reports.attention.viewer_data import AttentionRecord, is_causal, pack, page_text

RECORD = Record("attention", {}, {"name": "t"}, {}, [])


def vectors(tokens: int = 5) -> Vectors:
    draw = np.random.default_rng(0).standard_normal((2, 2, 3, tokens, 4)).astype(np.float32)
    return Vectors(draw[0], draw[1])


def test_a_model_is_plain_data_with_layers_from_1():
    [packed] = pack([some_maps(vectors=vectors())])
    data = json.loads(json.dumps(packed.data()))
    assert data["layers"] == [1, 2]
    assert data["heads"] == 3
    assert data["words"] == {"names": ["[CLS]", "undo", "it", "[SEP]"], "of": [0, 1, 1, 2, 3]}
    assert data["vectors"]["tokens"] == 5


def test_two_models_share_the_room(monkeypatch):
    monkeypatch.setattr(viewer_data, "ROOM", 12_000)
    tokens = tuple("t" * 40)
    maps = [
        some_maps(weights=softmax_maps(seed, tokens=40), tokens=tokens, special=np.zeros(40, bool), words=None)
        for seed in (0, 1)
    ]
    packed = pack(maps)
    assert sum(model.weights.characters for model in packed) <= 12_000
    assert all(model.weights.threshold for model in packed)


def test_vectors_have_what_the_maps_leave(monkeypatch):
    maps = some_maps(vectors=vectors())
    monkeypatch.setattr(viewer_data, "ROOM", pack([maps])[0].weights.characters + 10)
    assert pack([maps])[0].vectors is None


@pytest.mark.parametrize(
    ("token", "text"),
    [("a\nb", "a⏎b"), ("", "(empty)"), ("\x00", "␀"), ("\u202eabc", "abc"), ("x" * 300, "x" * 200 + "…")],
)
def test_a_token_is_written_so_that_it_cannot_hide_or_turn_the_page(token, text):
    assert page_text(token) == text


def test_a_model_that_looks_back_only_is_causal():
    assert is_causal(some_maps(weights=np.tril(softmax_maps(0))))
    assert not is_causal(some_maps())
    assert not is_causal(some_maps(tokens=("a",), weights=np.ones((1, 1, 1, 1), np.float32)))


def test_the_maps_of_a_record_are_not_part_of_its_file():
    record = AttentionRecord.of(RECORD, pack([some_maps()]))
    assert record == RECORD
    assert record.to_json() == RECORD.to_json()
    assert len(record.models) == 1
    assert copy.deepcopy(record).to_json() == RECORD.to_json()


@pytest.mark.parametrize("remade", [copy.deepcopy, lambda record: replace(record, data={})], ids=["copied", "changed"])
def test_a_record_that_is_copied_or_changed_keeps_its_maps(remade):
    record = AttentionRecord.of(RECORD, pack([some_maps()]))
    assert [model.data() for model in remade(record).models] == [model.data() for model in record.models]
