"""A store of texts with links holds, for each token, the entity that begins at it; sequences take it along."""

import json

import numpy as np
import pytest
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture

from wordworth.errors import BadInput
from wordworth.text.corpus.encode_entity_links import encode_linked
from wordworth.text.corpus.pretraining_sequences import InstanceStream
from wordworth.text.corpus.read_documents import Document
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.token_store import TokenStore, build_store
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.text.tokenizer import Tokenizer

TEXTS = ["The [[Q3|a b.]] C d. The [[Q1|as]] was b.\nThe [[Q2|e]] f.", "a b c", "[[Q5|the]] end."]


@pytest.fixture(scope="module")
def store(fused_folder, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("linked")
    (folder / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    return build_store(folder / "texts.jsonl", LinkedTokenizer.read(fused_folder), folder / "store")


def test_the_store_has_the_entity_of_each_token(store, fused_folder):  # noqa: F811
    tokens = LinkedTokenizer.read(fused_folder).encode(TEXTS)
    inner = [np.flatnonzero(each.offsets[:, 1] > 0) for each in tokens]
    ids, entities = (
        np.concatenate([values[rows] for values, rows in zip(each, inner, strict=True)])
        for each in ([t.ids for t in tokens], [t.features["entity"] for t in tokens])
    )
    assert (store.ids == ids).all()
    assert (store.features["entity"] == entities).all()
    assert TokenStore.open(store.folder).entities == LinkedTokenizer.read(fused_folder).entities_key


def test_sentences_end_outside_of_mentions(fused_folder):  # noqa: F811
    encoded = encode_linked([Document(text, presplit=False) for text in TEXTS], LinkedTokenizer.read(fused_folder))
    assert encoded.documents.tolist() == [4, 1, 1]
    assert encoded.sentences.sum() == len(encoded.ids)


def test_a_document_without_a_token_is_left_out(fused_folder):  # noqa: F811
    encoded = encode_linked([Document(" ", presplit=False), *(Document(t, presplit=False) for t in TEXTS)],
                            LinkedTokenizer.read(fused_folder))  # fmt: skip
    assert (encoded.unread, len(encoded.documents)) == (1, 3)


def test_sequences_have_the_entities_of_their_tokens_and_none_at_special_ones(store):
    made = InstanceStream(PackedTexts(store=store, length=8), batch_size=6).batch(0)
    entity = made.features["entity"]
    special = store.vocabulary.special[made.ids]
    assert (entity[special] == -1).all()
    assert set(entity[entity >= 0].tolist()) <= {0, 1, 2, 4}
    assert (entity >= 0).any()
    taken = made.take(np.array([3, 0]))
    assert len(taken.features["entity"]) == len(taken.ids)


def test_a_corpus_without_links_has_none_beside_one_with_links(store, fused_folder, tmp_path):  # noqa: F811
    (tmp_path / "plain.txt").write_text("a b c d e.\n" * 20)
    plain = build_store(tmp_path / "plain.txt", Tokenizer.read(fused_folder), tmp_path / "plain")
    assert plain.features == {}
    samplers = [PackedTexts(store=each, length=8) for each in (plain, store)]
    made = InstanceStream(samplers, batch_size=16).batch(0)
    assert len(made.features["entity"]) == len(made.ids)


def test_a_store_of_links_to_other_entities_is_refused(store, fused_folder):  # noqa: F811
    path = store.folder / "store.json"
    meta = json.loads(path.read_text())
    path.write_text(json.dumps(meta | {"entities": "other"}))
    with pytest.raises(BadInput, match="links of this corpus are to other entities"):
        TokenStore.open(store.folder).require_tokenizer(fused_folder)
    path.write_text(json.dumps(meta | {"features": ["strange"]}))
    with pytest.raises(BadInput, match="unknown features"):
        TokenStore.open(store.folder)
    path.write_text(json.dumps(meta))
    store.require_tokenizer(fused_folder)


def test_a_link_to_an_unknown_entity_stops_the_build(fused_folder, tmp_path):  # noqa: F811
    (tmp_path / "texts.jsonl").write_text(json.dumps({"text": "a [[Q77|b]]"}) + "\n")
    with pytest.raises(BadInput, match="Q77"):
        build_store(tmp_path / "texts.jsonl", LinkedTokenizer.read(fused_folder), tmp_path / "store")
