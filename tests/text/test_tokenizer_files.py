"""What a folder may hold, and what is said where it holds no tokenizer."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.text.families import byte_pairs
from tests.text.toys import SMALL, TOY, library, write_vocabulary

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.parametrize(
    ("pieces", "config", "lowercase"),
    [
        (SMALL, {"do_lower_case": True}, True),
        (SMALL, {"do_lower_case": False}, False),
        ([*TOY, "The"], {}, False),
        ([*TOY, "the"], {}, True),
        ([*TOY, "The"], {"do_lower_case": True}, True),
        ([*TOY, "The"], {"do_lower_case": None}, False),
    ],
)
def test_casing_is_as_stated_or_as_the_vocabulary_shows(
    tmp_path: Path, pieces: list[str], config: dict, *, lowercase: bool
) -> None:
    write_vocabulary(tmp_path, pieces)
    write_json(tmp_path / "tokenizer_config.json", config)
    assert Tokenizer.read(tmp_path).lowercase is lowercase


def test_a_stated_casing_wins_over_tokenizer_json(tmp_path: Path) -> None:
    whole = Tokenizer.wordpiece(write_vocabulary(tmp_path, SMALL))
    library(whole).save(str(tmp_path / "tokenizer.json"))
    assert Tokenizer.read(tmp_path).lowercase
    write_json(tmp_path / "tokenizer_config.json", {"do_lower_case": False})
    assert not Tokenizer.read(tmp_path).lowercase


def test_accents_and_ideographs_are_treated_as_stated(tmp_path: Path) -> None:
    write_vocabulary(tmp_path, [*SMALL, "日本"])
    stated = {"do_lower_case": True, "strip_accents": False, "tokenize_chinese_chars": False}
    write_json(tmp_path / "tokenizer_config.json", stated)
    tokenizer = Tokenizer.read(tmp_path)
    found = [tokenizer.token(int(index)) for index in tokenizer.ids(["É 日本"], special=False)[0]]
    assert found == ["é", "日本"]  # neither folded to e nor parted


def test_special_tokens_may_be_named_in_the_settings(tmp_path: Path) -> None:
    write_vocabulary(tmp_path, ["<u>", "<c>", "<s>", "<m>", "a"])
    named = {"unk_token": "<u>", "cls_token": {"content": "<c>"}, "sep_token": "<s>", "mask_token": "<m>"}
    write_json(tmp_path / "special_tokens_map.json", named)
    tokenizer = Tokenizer.read(tmp_path)
    assert tokenizer.special_ids == {"unk": 0, "cls": 1, "sep": 2, "mask": 3}
    assert tokenizer.ids(["a <m> b"])[0].tolist() == [1, 4, 3, 0, 2]


def test_windows_line_ends_and_odd_separators_are_pieces_as_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes("[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n\u2028\r\n##b".encode())
    tokenizer = Tokenizer.wordpiece(path)
    assert tokenizer.ids(["ab"])[0].tolist() == [1, 3, 5, 2]
    assert tokenizer.token(4) == "\u2028"


def test_one_tokenizer_file_under_any_name_will_do(tmp_path: Path) -> None:
    saved = byte_pairs(tmp_path, ["<|endoftext|>"]) / "tokenizer.json"
    renamed = saved.rename(tmp_path / "some_tokenizer_config.json")
    assert Tokenizer.read(renamed).ids(["a cat"])[0].size > 0


Spoil = Callable[[Path], object]
WORDPIECE_WITHOUT_UNK = {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "[UNK]"} | {
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
}
SPOILT: dict[str, tuple[Spoil, str]] = {
    "nothing": (lambda folder: (folder / "notes.md").write_text(""), r"no tokenizer here \(there is notes.md\)"),
    "an empty folder": (lambda _: None, r"no tokenizer here \(there is nothing\)"),
    "sentencepiece alone": (
        lambda folder: (folder / "spiece.model").write_bytes(b"\n"),
        "save the SentencePiece model",
    ),
    "no JSON": (lambda folder: (folder / "tokenizer.json").write_text("{"), "not a whole JSON file"),
    "other JSON": (lambda folder: write_json(folder / "tokenizer.json", {"model": {}}), "not a tokenizer of the"),
    "an empty file": (lambda folder: (folder / "tokenizer.json").write_bytes(b""), "not a whole JSON file"),
    "a pickle": (lambda folder: (folder / "tokenizer.json").write_bytes(pickle.dumps([1])), "this is a pickle"),
    "a zip": (lambda folder: (folder / "tokenizer.json").write_bytes(b"PK\x03\x04rest"), "this is a zip archive"),
    "binary": (lambda folder: (folder / "tokenizer.json").write_bytes(b"{\n\xff"), r"line 2 is not UTF-8 \(byte 0xff"),
    "a pointer": (
        lambda folder: (folder / "tokenizer.json").write_text("version https://git-lfs.github.com/spec/v1"),
        "Git LFS pointer",
    ),
    "a folder for a file": (lambda folder: (folder / "tokenizer.json").mkdir(), "cannot read: Is a directory"),
    "no unknown token": (
        lambda folder: write_json(folder / "tokenizer.json", {"version": "1.0", "model": WORDPIECE_WITHOUT_UNK}),
        r"the vocabulary has no \[UNK\]",
    ),
    "an empty vocabulary": (lambda folder: (folder / "vocab.txt").write_bytes(b""), "the vocabulary is empty"),
    "a blank vocabulary": (lambda folder: (folder / "vocab.txt").write_bytes(b"\n"), "the vocabulary is empty"),
    "a repeated piece": (
        lambda folder: write_vocabulary(folder, [*TOY, "want"]),
        "lines 4 and 12 hold the same piece 'want'",
    ),
    "a vocabulary without marks": (lambda folder: write_vocabulary(folder, ["[UNK]", "a"]), r"has no \[CLS\]"),
    "another vocabulary": (lambda folder: write_vocabulary(folder, ["a", "b"]), r"has no \[UNK\]"),
    "latin-1": (
        lambda folder: (folder / "vocab.txt").write_bytes("[UNK]\ncafé".encode("latin-1")),
        r"line 2 is not UTF-8 \(byte 0xe9 at position 9\)",
    ),
    "broken settings": (
        lambda folder: (write_vocabulary(folder, TOY), (folder / "tokenizer_config.json").write_text("[")),
        "tokenizer_config.json: not a whole JSON",
    ),
    "settings in a list": (
        lambda folder: (write_vocabulary(folder, TOY), write_json(folder / "tokenizer_config.json", [])),
        "holds an array, not a JSON object",
    ),
    "a casing that is none": (
        lambda folder: (
            write_vocabulary(folder, TOY),
            write_json(folder / "tokenizer_config.json", {"do_lower_case": "no"}),
        ),
        "do_lower_case is 'no'; expected true or false",
    ),
    "merges that do not fit": (
        lambda folder: (write_json(folder / "vocab.json", {"a": 0}), (folder / "merges.txt").write_text("x y\n")),
        "vocab.json and merges.txt do not fit",
    ),
    "merges of one part": (
        lambda folder: (write_json(folder / "vocab.json", {"a": 0}), (folder / "merges.txt").write_text("xy\n")),
        "vocab.json and merges.txt do not fit",
    ),
    "ids that are no numbers": (
        lambda folder: (write_json(folder / "vocab.json", {"a": "0"}), (folder / "merges.txt").write_text("")),
        "vocab.json and merges.txt do not fit",
    ),
}


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_folder_is_refused_with_the_file_and_the_reason(tmp_path: Path, case: str) -> None:
    spoil, says = SPOILT[case]
    spoil(tmp_path)
    with pytest.raises(BadInput, match=says) as refused:
        Tokenizer.read(tmp_path)
    assert refused.value.where.startswith(str(tmp_path))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        Tokenizer.read(tmp_path / "gone")
    with pytest.raises(BadInput, match="No such file"):
        Tokenizer.wordpiece(tmp_path / "vocab.txt")


@pytest.mark.parametrize("name", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_a_saved_tokenizer_is_the_same_when_it_is_read_again(tmp_path, name, request):
    tokenizer = request.getfixturevalue(name)
    save_tokenizer(tokenizer, tmp_path / "tok")
    again = Tokenizer.read(tmp_path / "tok")
    assert again.fingerprint == tokenizer.fingerprint
    assert again.special_ids == tokenizer.special_ids
    assert again.lowercase == tokenizer.lowercase


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path, small):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot write"):
        save_tokenizer(small, tmp_path / "file" / "tok")
