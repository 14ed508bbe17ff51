"""`doctor` of an address: a server of the same vectors passes, and the mistake of another one is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.retrieval.small_index import two_prompts
from tests.serving.other_server import other_server

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture(scope="module")
def mini():
    return ww.load("mini")


def checked(vectors_of, **options):
    """Check name -> whether it passed, and what it says."""
    with other_server(vectors_of, **options) as address:
        return {check.name: (check.passed, check.detail) for check in ww.doctor(address, against="mini")}


def pooled(encoder, *modes):
    return replace(encoder, head=replace(encoder.head, modes=modes)).encode


def test_a_server_of_the_same_vectors_passes_whatever_their_length(mini):
    checks = checked(lambda texts: 3 * mini.encode(texts, long_texts="window"))
    assert list(checks) == ["answers", "width", "batch", "vectors"]
    assert all(passed for passed, _ in checks.values())


def test_the_model_is_the_one_that_the_server_names(mini):
    with other_server(lambda texts: mini.encode(texts, long_texts="window")) as address:
        assert all(check.passed for check in ww.doctor(address))


def test_of_several_models_the_expected_one_is_asked(mini, index):
    with other_server(lambda texts: mini.encode(texts, long_texts="window"), models=("gpt", "mini")) as address:
        assert all(check.passed for check in ww.doctor(address, against="mini"))
        assert all(check.passed for check in ww.doctor(address, index=index))


def test_a_server_without_a_list_of_models_is_compared(mini):
    checks = checked(lambda texts: mini.encode(texts, long_texts="window"), lists_models=False)
    assert all(passed for passed, _ in checks.values())


@pytest.mark.filterwarnings("ignore::wordworth.ZeroVectorWarning")
def test_a_server_of_a_static_table_is_compared_on_the_texts_whose_words_it_knows(tmp_path):
    (tmp_path / "vectors.txt").write_text("the 1 2\ncat 3 -4\n")
    table = ww.load(tmp_path / "vectors.txt")
    for vectors_of, passes in ((table.encode, True), (lambda texts: table.encode(texts)[:, ::-1], False)):
        with other_server(vectors_of) as address:
            checks = {check.name: check.passed for check in ww.doctor(address, against=str(tmp_path / "vectors.txt"))}
        assert checks == {"answers": True, "width": True, "batch": True, "vectors": passes}


@pytest.mark.parametrize(
    ("mistake", "cause"),
    [
        (lambda encoder: pooled(encoder, "cls"), "with another pooling, cls"),
        (lambda encoder: pooled(encoder, "max"), "with another pooling, max"),
        (lambda encoder: replace(encoder, prompt="query: ").encode, "with 'query: ' before each text"),
        (lambda encoder: replace(encoder, max_length=32).encode, "of texts cut after 32 tokens"),
    ],
)
def test_the_mistake_of_a_server_is_named(mini, mistake, cause):
    encode = mistake(mini)
    checks = checked(lambda texts: encode(list(texts), long_texts="cut"))
    assert checks["vectors"][0] is False
    assert checks["vectors"][1].endswith(f"; the server computes {cause}")
    assert checks["batch"][0]


def test_another_model_is_said_to_be_one(mini):
    rng = np.random.default_rng(0)
    other = rng.normal(size=(1_000, mini.width))
    checks = checked(lambda texts: [other[sum(map(ord, text)) % 1_000] for text in texts])
    assert checks["vectors"] == (False, checks["vectors"][1])
    assert checks["vectors"][1].endswith("; it is another model, or does something that is not known here")


def test_a_batch_in_another_order_is_seen(mini):
    checks = checked(lambda texts: mini.encode(texts, long_texts="window")[::-1])
    assert checks["batch"][0] is False
    assert checks["batch"][1].endswith("the vectors of a batch come in another order than its texts")
    assert checks["vectors"][0]


def test_a_batch_that_spoils_its_vectors_is_seen(mini):
    rng = np.random.default_rng(0)

    def spoilt(texts):
        vectors = mini.encode(texts, long_texts="window")
        return vectors + (len(texts) > 1) * rng.normal(0, np.abs(vectors).mean(), vectors.shape)

    assert checked(spoilt)["batch"][0] is False


def test_vectors_of_zeros_are_told_from_vectors(mini):
    checks = checked(lambda texts: np.zeros((len(texts), mini.width)))
    assert checks["answers"][0] is False
    assert "16 of them are all zeros, as 8-bit vectors" in checks["answers"][1]


def test_vectors_of_another_width_are_not_compared(mini):
    checks = checked(lambda texts: mini.encode(texts, long_texts="window")[:, :7])
    assert list(checks) == ["answers", "width"]
    assert checks["width"] == (False, f"7 numbers, and those of mini have {mini.width}")


def test_options_of_a_server_are_refused_for_a_checkpoint():
    with pytest.raises(BadInput, match="`against`: this is for a server; leave it out, or give a server's address"):
        ww.doctor("mini", against="minilm")


def test_a_server_that_names_no_model_needs_one_to_compare_with(mini):
    with (
        other_server(mini.encode, models=()) as address,
        pytest.raises(BadInput, match="the server names no model; say what it should have with `against`"),
    ):
        ww.doctor(address)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "index"
    ww.build_index(["a text", "another"], folder, model="mini", dtype="float32")
    return folder


def checked_with_index(vectors_of, index):
    with other_server(vectors_of) as address:
        return {check.name: (check.passed, check.detail) for check in ww.doctor(address, index=index)}


def test_a_server_whose_vectors_an_index_can_be_asked_with_passes(mini, index):
    checks = checked_with_index(lambda texts: mini.encode(texts, long_texts="window"), index)
    assert all(passed for passed, _ in checks.values())
    assert f"cosines with the index {index}: " in checks["vectors"][1]


def test_the_mistake_of_a_server_is_named_for_an_index_too_if_its_model_is_here(mini, index):
    checks = checked_with_index(pooled(mini, "cls"), index)
    assert checks["vectors"][1].endswith("; the server computes with another pooling, cls")


def test_a_server_of_another_width_cannot_be_asked_for_an_index(mini, index):
    checks = checked_with_index(lambda texts: mini.encode(texts, long_texts="window")[:, :5], index)
    assert checks["width"] == (False, f"5 numbers, and those of the index {index} have {mini.width}")


def test_an_index_of_a_model_that_is_not_here_is_compared_all_the_same(mini, index, tmp_path):
    import json
    import shutil

    shutil.copytree(index, tmp_path / "moved")
    manifest = tmp_path / "moved" / "index.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "model": "/nowhere"}))
    same = checked_with_index(lambda texts: mini.encode(texts, long_texts="window"), tmp_path / "moved")
    assert same["vectors"][0]
    other = checked_with_index(pooled(mini, "cls"), tmp_path / "moved")
    assert other["vectors"][1].endswith("; it is another model, or does something that is not known here")
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "canaries": ["AAAA"]}))
    with pytest.raises(BadInput, match="missing or damaged"):
        checked_with_index(pooled(mini, "cls"), tmp_path / "moved")


def test_a_server_is_compared_with_one_thing(index):
    with pytest.raises(BadInput, match="give `against` or `index`"):
        ww.doctor("http://127.0.0.1:1", against="mini", index=index)
    with pytest.raises(BadInput, match="this is for a server"):
        ww.doctor("mini", index=index)


def test_a_server_without_the_prompt_of_documents_is_told_so_for_an_index(tmp_path):
    folder = two_prompts(tmp_path / "tiny")
    ww.build_index(["cab", "zebra"], tmp_path / "index", model=str(folder), dtype="float32")
    encoder, index = ww.load(folder), tmp_path / "index"
    behind = encoder.with_prompt("passage")
    right = checked_with_index(lambda texts: behind.encode(texts, long_texts="window"), index)
    plain = checked_with_index(lambda texts: encoder.encode(texts, long_texts="window"), index)
    assert right["vectors"][0]
    assert not plain["vectors"][0]
    assert plain["vectors"][1].endswith("the server computes without the prompt before a text")
