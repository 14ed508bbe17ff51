"""Sentence vectors equal those of sentence-transformers 6; folders that we save load in both peers, same numbers."""

import csv
import io
import lzma
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.models.tiny import SETTINGS, write_modules, write_prompts, write_tiny

from wordworth.errors import BadInput
from wordworth.models.batch import pack
from wordworth.models.pooling import Dense, Normalize, SentenceHead
from wordworth.models.prompts import prompts_by_role, with_prompt_of
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import save
from wordworth.models.sentence_transformers_format import OLD_KEYS
from wordworth.sources import resolve

pytestmark = pytest.mark.peers
peers = pytest.importorskip("sentence_transformers")
transformers = pytest.importorskip("transformers")

TEXTS = ["the cab", "", "  ", "a", "abba's bass!", "the " * 15, "qqq www, the?"]


def peer_vectors(folder: Path, texts: list[str]) -> np.ndarray:
    return peers.SentenceTransformer(str(folder), device="cpu").encode(texts, convert_to_numpy=True)


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    data = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[2] / ".." / "shared" / "data"))
    source = data / "sts" / "sts_2012_2016.tsv.xz"
    if not source.is_file():
        pytest.skip(f"no {source}")
    with lzma.open(source, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(io.StringIO(file.read()), delimiter="\t", quoting=csv.QUOTE_NONE))
    text = [place for place, name in enumerate(rows[0]) if name.startswith(("text", "sentence"))]
    return sorted({row[place] for row in rows[1:] for place in text})[::13][:1000]


def test_minilm_gives_the_vectors_of_sentence_transformers_on_a_thousand_sentences(sentences):
    try:
        folder = resolve("minilm").folder
    except BadInput as error:
        pytest.skip(str(error))
    assert len(sentences) == 1000
    assert np.abs(read_encoder(folder).encode(sentences) - peer_vectors(folder, sentences)).max() <= 1e-5


def test_minilm_cuts_long_texts_as_sentence_transformers_does(sentences):
    try:
        folder = resolve("minilm").folder
    except BadInput as error:
        pytest.skip(str(error))
    texts = [" ".join(sentences[start : start + 20 + start]) for start in range(0, 100, 10)]
    encoder, theirs = read_encoder(folder), peer_vectors(folder, texts)
    assert encoder.embed(texts, long_texts="cut").lengths.cut >= 8
    assert np.abs(encoder.encode(texts, long_texts="cut") - theirs).max() <= 1e-5
    assert np.abs(encoder.encode(texts, long_texts="window") - theirs).max() > 0.01


@pytest.mark.parametrize("model_type", SETTINGS)
def test_every_family_cuts_long_texts_as_theirs(tmp_path, model_type):
    save(read_encoder(write_tiny(tmp_path / "from", model_type)), tmp_path / "to")
    texts = ["the cab a bab " * repeats for repeats in (1, 5, 6, 40, 400)]
    vectors = read_encoder(tmp_path / "to").encode(texts, long_texts="cut")
    assert np.abs(vectors - peer_vectors(tmp_path / "to", texts)).max() <= 1e-5


@pytest.mark.parametrize("mode", OLD_KEYS.values())
def test_every_pooling_cuts_long_texts_as_theirs(tmp_path, mode):
    folder = write_tiny(tmp_path / "m")
    write_modules(folder, {"embedding_dimension": 32, "pooling_mode": mode})
    texts = ["the cab a bab " * repeats for repeats in (1, 5, 6, 40, 400)]
    vectors = read_encoder(folder).encode(texts, long_texts="cut")
    assert np.abs(vectors - peer_vectors(folder, texts)).max() <= 1e-5


@pytest.mark.parametrize("mode", OLD_KEYS.values())
def test_every_pooling_equals_theirs_in_the_new_schema(tmp_path, mode):
    folder = write_tiny(tmp_path / "m")
    write_modules(folder, {"embedding_dimension": 32, "pooling_mode": mode})
    assert np.abs(read_encoder(folder).encode(TEXTS) - peer_vectors(folder, TEXTS)).max() <= 1e-5


@pytest.mark.parametrize("key", OLD_KEYS)
def test_every_pooling_equals_theirs_in_the_old_schema(tmp_path, key):
    folder = write_tiny(tmp_path / "m")
    flags = {"pooling_mode_mean_tokens": False, key: True, "pooling_mode_lasttoken": True}
    write_modules(folder, {"word_embedding_dimension": 32, **flags}, "Normalize")
    assert np.abs(read_encoder(folder).encode(TEXTS) - peer_vectors(folder, TEXTS)).max() <= 1e-5


@pytest.mark.parametrize("model_type", SETTINGS)
def test_a_saved_folder_gives_the_same_numbers_in_both_peers(tmp_path, model_type):
    encoder = read_encoder(write_tiny(tmp_path / "from", model_type))
    weight, bias = torch.randn(8, 32, generator=torch.Generator().manual_seed(1)), torch.ones(8)
    dense = Dense(weight, bias, "torch.nn.modules.activation.Tanh")
    encoder = replace(encoder, head=SentenceHead(("mean",), (dense, Normalize())), prompt="the ")
    save(encoder, tmp_path / "to")
    again = read_encoder(tmp_path / "to")
    texts = TEXTS[:5]
    assert np.array_equal(again.encode(texts), encoder.encode(texts))
    assert np.abs(encoder.encode(texts) - peer_vectors(tmp_path / "to", texts)).max() <= 1e-5

    peer = transformers.AutoModel.from_pretrained(tmp_path / "to").eval()
    tokens = encoder.tokenizer.encode(["the cab's abba"])
    with torch.no_grad():
        theirs = peer(torch.from_numpy(tokens[0].ids)[None]).last_hidden_state[0]
        assert torch.allclose(encoder.model(pack(tokens)), theirs, atol=1e-5 * float(theirs.abs().max()))
    read = transformers.AutoTokenizer.from_pretrained(tmp_path / "to")(["the cab's abba"], ["a"])["input_ids"][0]
    assert read == encoder.tokenizer.encode(["the cab's abba"], ["a"])[0].ids.tolist()


@pytest.mark.parametrize(
    ("prompts", "default"),
    [
        ({"query": "the ", "document": "a "}, None),
        ({"query": "the ", "document": "a "}, "query"),
        ({"query": "the "}, None),
        ({"document": "a "}, None),
        ({"query": "the ", "s2p": "a "}, "s2p"),
    ],
)
def test_queries_and_documents_stand_behind_the_prompts_that_they_have_there(tmp_path, prompts, default):
    save(read_encoder(write_prompts(write_tiny(tmp_path / "from"), prompts, default)), tmp_path / "to")
    for folder in (tmp_path / "from", tmp_path / "to"):
        ours, theirs = read_encoder(folder), peers.SentenceTransformer(str(folder), device="cpu")
        by_role = prompts_by_role(ours)
        queries, documents = (with_prompt_of(role, by_role, ours).encode(TEXTS) for role in ("query", "document"))
        assert np.abs(queries - theirs.encode_query(TEXTS)).max() <= 1e-5
        assert np.abs(documents - theirs.encode_document(TEXTS)).max() <= 1e-5
        assert np.abs(ours.encode(TEXTS) - theirs.encode(TEXTS)).max() <= 1e-5
        for name in prompts:
            chosen = ours.with_prompt(name).encode(TEXTS)
            assert np.abs(chosen - theirs.encode(TEXTS, prompt_name=name)).max() <= 1e-5


def test_a_folder_that_they_save_again_has_the_same_prompts_by_role(tmp_path):
    folder = write_prompts(write_tiny(tmp_path / "from"), {"query": "the ", "passage": "a "})
    peers.SentenceTransformer(str(folder), device="cpu").save(str(tmp_path / "to"))
    assert read_encoder(tmp_path / "to").prompts.keys() == {"query", "document", "passage"}
    assert prompts_by_role(read_encoder(tmp_path / "to")) == {"query": "the ", "document": "a "}
    peers.SentenceTransformer(str(write_tiny(tmp_path / "plain")), device="cpu").save(str(tmp_path / "again"))
    assert prompts_by_role(read_encoder(tmp_path / "again")) == {}
