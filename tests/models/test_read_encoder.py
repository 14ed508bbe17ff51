import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models.tiny import PIECES, write_tiny

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_tiny(tmp_path / "tiny")


def refused(folder: Path, match: str) -> None:
    """One clear error: what, where, how to mend it."""
    with pytest.raises(BadInput, match=match) as caught:
        read_encoder(folder)
    assert str(folder) in caught.value.where
    assert caught.value.mend


def test_a_tokenizer_with_more_pieces_than_the_weights_have_rows_is_refused(folder):
    (folder / "vocab.txt").write_text("\n".join([*PIECES, "more"]) + "\n")
    refused(folder, f"the tokenizer knows {len(PIECES) + 1} pieces, the weights {len(PIECES)}")


def test_a_window_without_room_for_text_is_refused(folder):
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 2}')
    with pytest.raises(BadInput, match="no room"):
        read_encoder(folder).encode(["a"])


def test_lower_case_that_the_tokenizer_would_not_make_is_refused(folder):
    (folder / "sentence_bert_config.json").write_text('{"do_lower_case": true}')
    assert read_encoder(folder).tokenizer.lowercase
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    refused(folder, "asks for lower case")


def test_an_encoder_is_read_without_the_compiler_of_torch():
    """Which takes two seconds to import, and a first vector one."""
    code = "import sys, torch, wordworth.models.read_encoder; print('torch._dynamo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(("asked", "length"), [(None, 24), (10, 10), (512, 24)])
def test_the_window_is_the_one_of_the_settings_and_no_longer_than_the_model_has_positions(folder, asked, length):
    if asked is not None:
        (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": asked}))
    assert read_encoder(folder).max_length == length


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"last_layer": "before_norm"}, "no last-layer 'before_norm'"),
        ({"dtype": "float16"}, "no dtype 'float16'"),
        ({"device": "abacus"}, "no device 'abacus'"),
    ],
)
def test_options_that_are_none_are_refused(folder, options, told):
    with pytest.raises(BadInput, match=told):
        read_encoder(folder, **options)


def test_a_file_is_no_folder_of_an_encoder(folder):
    with pytest.raises(BadInput, match="no such folder"):
        read_encoder(folder / "config.json")


def test_an_encoder_is_named_as_its_folder_unless_another_name_is_given(folder):
    assert read_encoder(folder).name == "tiny"
    assert read_encoder(folder, name="mine").name == "mine"
