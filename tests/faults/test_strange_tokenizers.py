"""Tokenizer files whose rules try without end, grow without end or break the library: one line, in seconds."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.text import tokenizer_limits
from wordworth.text.hide_panic_messages import hide_panic_messages
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_limits import run_with_time_limit

pytestmark = pytest.mark.timeout(60)


def regex(pattern: str, content: str = "") -> dict:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def string(pattern: str, content: str) -> dict:
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


def split(pattern: str) -> dict:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def several(*steps: dict) -> dict:
    return {"type": "Sequence", "normalizers": list(steps)}


def table(form: bytes) -> dict:
    """A table of characters by which one of them becomes `form`."""
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(bytes(4) + form + b"\0").decode()}


@pytest.fixture
def model(tmp_path) -> Path:
    return write_tiny(tmp_path / "model")


def changed(model: Path, **parts: object) -> Path:
    """The tokenizer of a model as a `tokenizer.json`, with other parts."""
    whole = json.loads(Tokenizer.read(model).to_json())
    (model / "tokenizer.json").write_text(json.dumps({**whole, **parts}))
    return model


GROWING = {
    "a replacement": string("a", "a" * 17),
    "replacements of replacements": several(*[string("a", "aaaaaaaaaa")] * 3),
    "a pattern that matches between characters": several(*[regex("(?=a)", "a")] * 30),
    "sequences inside sequences": several(several(string("a", "aaaaa")), several(string("a", "aaaaa"))),
    "a prefix": {"type": "Prepend", "prepend": "a" * 1000},
    "a table": table(b"a" * 1_000_000),
}


@pytest.mark.parametrize("rules", GROWING)
def test_rules_that_make_texts_many_times_as_long_are_refused_before_any_text_is_read(model, rules):
    with pytest.raises(BadInput, match=r"tokenizer\.json: the rules of this normalizer make a text more than 16 times"):
        Tokenizer.read(changed(model, normalizer=GROWING[rules]))


USUAL = {
    "Llama": several({"type": "Prepend", "prepend": "▁"}, string(" ", "▁")),
    "ALBERT": several(string("``", '"'), string("''", '"'), {"type": "NFKD"}, {"type": "Lowercase"}),
    "XLM-R, behind its table": several(regex(" {2,}", "▁"), regex("\\s+", " ")),
    "CLIP": several({"type": "NFC"}, regex("\\s+", " "), {"type": "Lowercase"}),
}


@pytest.mark.parametrize("rules", USUAL)
def test_rules_of_published_tokenizers_are_within_the_bound(model, rules):
    tokenizer = Tokenizer.read(changed(model, normalizer=USUAL[rules]))
    assert len(tokenizer.encode(["the cat  sat"])) == 1


@pytest.mark.parametrize("part", [{"pre_tokenizer": split("(a+)+$")}, {"normalizer": regex("(a+)+$")}])
def test_a_pattern_that_backtracks_without_end_is_bad_input_and_no_panic(model, part):
    tokenizer = Tokenizer.read(changed(model, **part))
    with pytest.raises(BadInput, match=r"the tokenizers library breaks on the rules of this tokenizer.*retry-limit"):
        tokenizer.ids(["a" * 40 + "!"])


def test_a_panic_while_texts_are_read_leaves_one_line_and_none_of_the_library(model, tmp_path):
    (tmp_path / "a.txt").write_text("a" * 40 + "!\n")
    where = changed(model, pre_tokenizer=split("(a+)+$"))
    line = [sys.executable, "-m", "wordworth", "embed", "a.txt", "--model", str(where), "--out", "v.npy"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "panicked at" not in done.stderr
    assert "RUST_BACKTRACE" not in done.stderr
    assert [line for line in done.stderr.splitlines() if "retry-limit" in line] == done.stderr.splitlines()[-1:]


def test_what_others_print_while_texts_are_read_is_kept(capfd):
    with pytest.raises(UnicodeError), hide_panic_messages():
        b"\xff".decode() if os.write(2, b"lines of a panic") else None
    with hide_panic_messages():
        os.write(2, b"one ")
        with hide_panic_messages():
            os.write(2, b"two ")
        os.write(2, b"three ")
    os.write(2, b"four")
    assert capfd.readouterr().err == "one two three four"


def test_a_pattern_that_is_slow_at_every_character_is_stopped(model, monkeypatch):
    monkeypatch.setattr(tokenizer_limits, "_SECONDS", 0.2)
    tokenizer = Tokenizer.read(changed(model, pre_tokenizer=split("a{0,900}a{0,900}[bc]")))
    with pytest.raises(BadInput, match="do not finish on a text of 903 characters"):
        tokenizer.encode(["a" * 900 + "! b"])


def test_a_pattern_of_ones_own_that_ends_reads_as_before_under_a_time_limit(model, monkeypatch):
    plain, own = Tokenizer.read(model), Tokenizer.read(changed(model, pre_tokenizer=split("\\s+|[a-z]+")))
    watched = []
    monkeypatch.setattr(
        "wordworth.text.tokenizer.run_with_time_limit",
        lambda reading, characters, where: (
            watched.append(characters),
            run_with_time_limit(reading, characters, where),
        )[1],
    )
    plain.ids(["the"])
    assert not watched
    assert own.token(int(own.ids(["the"])[0][1])) == "the"
    own.literal().ids(["the"])
    assert watched == [3, 3]


def test_a_damaged_table_of_characters_is_bad_input_and_no_panic(model):
    rules = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    with pytest.raises(BadInput, match=r"tokenizer\.json: the tokenizers library breaks on the rules"):
        Tokenizer.read(changed(model, normalizer=rules))


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"normalizer": GROWING["replacements of replacements"]}, "16 times as long"),
        ({"pre_tokenizer": split("(a+)+$")}, "retry-limit"),
    ],
)
def test_embed_says_it_in_one_line(model, tmp_path, part, says):
    (tmp_path / "a.txt").write_text("a" * 40 + "!\n")
    done = wordworth("embed", tmp_path / "a.txt", "--model", changed(model, **part), "--out", tmp_path / "v.npy")
    assert done.code == 2
    assert says in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
    assert not (tmp_path / "v.npy").exists()
