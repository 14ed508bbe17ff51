"""Model folders of every family with one value changed: each is read or is one clear error, within seconds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from tests.cli.terminal import wordworth
from tests.faults.test_odd_records import mutated, nodes
from tests.models.static.test_subword_tables import model2vec
from tests.models.tiny import write_tiny
from tests.models.tiny_elmo import write_elmo

from wordworth.errors import BadInput
from wordworth.models.families.base import Fields
from wordworth.models.families.modernbert import MODERNBERT
from wordworth.models.load import load
from wordworth.text.tokenizer import Tokenizer

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::wordworth.errors.ZeroVectorWarning"),
]

ODD = (None, "x", "", -1, 0, True, [], {}, [1], [[1, 2]], {"a": 1}, 10**400, 1e300, float("inf"), 2**40, 2**24, 50, 0.5)
TEXTS = ["the cab", "zz 3!", ""]
INDEX = "model.safetensors.index.json"
DRAWN = 150
"""Changed files of each family that are tried."""


def bert(folder: Path) -> None:
    whole = Tokenizer.read(write_tiny(folder)).to_json()
    (folder / "tokenizer.json").write_text(whole)


def shards(folder: Path) -> None:
    tensors = load_file(write_tiny(folder) / "model.safetensors")
    (folder / "model.safetensors").unlink()
    place = {name: f"model-{number % 2}.safetensors" for number, name in enumerate(tensors)}
    for file in set(place.values()):
        save_file({name: tensor for name, tensor in tensors.items() if place[name] == file}, folder / file)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": place}))


def byte_pairs(folder: Path, model_type: str, special: list[str]) -> None:
    """A checkpoint whose tokenizer is a vocab.json and a merges.txt."""
    (write_tiny(folder, model_type) / "vocab.txt").unlink()
    pieces = [*special, "Ġ", *"abcdefghijklmnopqrstuvwxyz", "th", "the", "Ġthe"]
    (folder / "vocab.json").write_text(json.dumps({piece: number for number, piece in enumerate(pieces)}))
    (folder / "merges.txt").write_text("#version: 0.2\nt h\nth e\nĠ the\n")


def static(folder: Path) -> None:
    folder.mkdir()
    model2vec(folder)


def modern(folder: Path) -> None:
    """A ModernBERT whose config has all fields of transformers."""
    config = write_tiny(folder, "modernbert", modules=False) / "config.json"
    fields = json.loads(config.read_text())
    config.write_text(json.dumps({**fields, **MODERNBERT.write(MODERNBERT.read(Fields(fields, "")))}))


FAMILIES = {
    "bert": bert,
    "shards": shards,
    "gpt2": lambda folder: byte_pairs(folder, "gpt2", ["<|endoftext|>"]),
    "roberta": lambda folder: byte_pairs(folder, "roberta", ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]),
    "distilbert": lambda folder: write_tiny(folder, "distilbert", modules=False),
    "mpnet": lambda folder: write_tiny(folder, "mpnet", modules=False),
    "electra": lambda folder: write_tiny(folder, "electra", modules=False),
    "modernbert": modern,
    "elmo": write_elmo,
    "model2vec": static,
}


def made(tmp_path: Path, family: str) -> Path:
    FAMILIES[family](tmp_path / "model")
    return tmp_path / "model"


def changed(file: Path, path: tuple, value: object) -> None:
    file.write_text(json.dumps(mutated(json.loads(file.read_text()), path, value)))


@pytest.mark.parametrize("family", FAMILIES)
def test_whatever_is_changed_in_a_model_it_is_read_or_refused_in_one_line(tmp_path, family):
    folder = made(tmp_path, family)
    assert len(load(str(folder)).encode(TEXTS)) == len(TEXTS)
    places = [(file, path) for file in folder.rglob("*.json") for path in nodes(json.loads(file.read_text()))]
    rng, refused = random.Random(0), 0
    for _ in range(DRAWN):
        file, path = rng.choice(places)
        sound = file.read_bytes()
        changed(file, path, rng.choice((*ODD, nodes)))
        try:
            load(str(folder)).encode(TEXTS)
        except BadInput:
            refused += 1
        file.write_bytes(sound)
    assert refused > DRAWN / 5


@pytest.mark.parametrize("shard", [None, 3, [], {"a": 1}, True])
def test_an_index_whose_shard_is_no_name(tmp_path, shard):
    folder = made(tmp_path, "shards")
    changed(folder / INDEX, ("weight_map", "embeddings.LayerNorm.bias"), shard)
    with pytest.raises(BadInput, match=r"index\.json: a shard of this index is .*, not a file name"):
        load(str(folder))


@pytest.mark.parametrize("path", [("model", "vocab", "the"), ("post_processor", "special_tokens", "[CLS]", "ids", 0)])
def test_ids_beyond_the_embedding_are_refused_before_any_text_is_read(tmp_path, path):
    folder = made(tmp_path, "bert")
    changed(folder / "tokenizer.json", path, 5_000)
    with pytest.raises(BadInput, match="the tokenizer knows 5001 pieces, the weights"):
        load(str(folder))


@pytest.mark.parametrize("value", ["x", -1, 0.5, None, [1], 2**24])
def test_odd_ids_of_byte_pairs(tmp_path, value):
    folder = made(tmp_path, "gpt2")
    changed(folder / "vocab.json", ("the",), value)
    with pytest.raises(BadInput, match=r"^[^\n]*(merges\.txt do not fit|knows 16777217 pieces)[^\n]*$"):
        load(str(folder))


@pytest.mark.parametrize("text", ["a b c\n", "x\n", "zz yy\n", "\0\n"])
def test_odd_merges(tmp_path, text):
    folder = made(tmp_path, "roberta")
    (folder / "merges.txt").write_text(text)
    with pytest.raises(BadInput, match=r"vocab\.json and merges\.txt do not fit"):
        load(str(folder))


@pytest.mark.parametrize("family", ["bert", "model2vec"])
def test_a_vocabulary_without_its_unknown_piece(tmp_path, family):
    folder = made(tmp_path, family)
    changed(folder / "tokenizer.json", ("model", "unk_token"), "[none]")
    with pytest.raises(BadInput, match=r"tokenizer\.json: .*(vocabulary has no \[none\]|Missing \[UNK\])"):
        load(str(folder))


@pytest.mark.parametrize("number", [10**400, 2**40, 0, -1, True])
def test_a_filter_of_characters_past_any_model(tmp_path, number):
    folder = made(tmp_path, "elmo")
    changed(next(folder.glob("*options.json")), ("char_cnn", "filters", 2, 1), number)
    with pytest.raises(BadInput, match=r"options\.json: "):
        load(str(folder))


def test_a_text_that_a_tokenizer_leaves_nothing_of_is_all_zeros_among_others(tmp_path):
    """GPT-2 puts no marks around a text, so an empty one has no tokens at all."""
    encoder = load(str(made(tmp_path, "gpt2")))
    vectors = encoder.encode(["", "the", "", "a cab", ""])
    assert not vectors[[0, 2, 4]].any()
    assert np.allclose(vectors[[1, 3]], encoder.encode(["the", "a cab"]), atol=1e-5)
    assert encoder.pooled_layers([""]).shape == (1, 3, 32)


def test_a_panic_of_the_library_is_one_line_and_nothing_of_its_own(tmp_path):
    folder = made(tmp_path, "bert")
    changed(folder / "tokenizer.json", ("post_processor", "special_tokens"), {})
    (tmp_path / "a.txt").write_text("the cab\n")
    done = wordworth("embed", tmp_path / "a.txt", "--model", folder, "--out", tmp_path / "v.npy")
    assert done.code == 2
    assert "tokenizer.json" in done.err
    assert "panicked" not in done.err
