"""Models as studies of layers see them."""

import json

import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.studies.layer_reader import EncoderLayers, StaticLayers, long_texts, require_unique_names
from wordworth.studies.senses import senses

SHORT, LONG = "a b c", "a b c d e f " * 8
"""The tiny models read 24 tokens at once."""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return EncoderLayers(load(write_tiny(tmp_path_factory.mktemp("tiny"))))


def test_texts_and_sentences_of_given_words_that_are_too_long_are_counted(encoder):
    assert encoder.lengths([SHORT, LONG, LONG]).windowed == 2
    assert encoder.lengths([SHORT.split(), LONG.split()]).windowed == 1
    assert encoder.lengths([SHORT]).windowed == 0
    (said,) = long_texts("tiny", encoder.lengths([SHORT, LONG]))
    assert "1 text of 2 did not fit into 24 tokens" in said.text
    assert list(long_texts("tiny", encoder.lengths([SHORT]))) == []


def test_states_say_which_texts_were_read_in_windows(encoder):
    assert encoder.encoder.states([SHORT, LONG]).lengths.windowed == 1
    assert encoder.encoder.word_states([SHORT.split(), LONG.split()]).lengths.windowed == 1
    assert encoder.encoder.piece_states([SHORT]).lengths.windowed == 0


def test_a_table_reads_texts_of_any_length(tmp_path):
    (tmp_path / "table.txt").write_text("a 1 2\nb 2 1\n")
    table = StaticLayers(load(tmp_path / "table.txt"))
    assert table.lengths([LONG]) is None
    assert list(long_texts("table", table.lengths([LONG]))) == []
    assert table.last_layer_note == ""


def test_the_last_layer_of_gpt2_is_named_and_berts_is_no_choice(encoder, tmp_path):
    gpt2 = load(write_tiny(tmp_path / "gpt2", "gpt2", modules=False))
    assert EncoderLayers(gpt2).last_layer_note == "after the final norm"
    assert encoder.last_layer_note == ""


def test_namesakes_are_refused():
    require_unique_names(("a", "b"), called="models", mend="")
    with pytest.raises(BadInput, match="two models are called 'a'; rename a folder"):
        require_unique_names(("a", "b", "a"), called="models", mend="rename a folder")


def test_a_study_of_senses_tells_of_sentences_that_it_read_in_windows(tmp_path):
    rows = [
        f"cab,{'taxi' if n % 2 else 'part'},{'a b' if n % 2 else 'the dab'} cab {'abcdef'[n % 6]}" for n in range(60)
    ]
    rows[0] += " a b c d e f" * 5
    (tmp_path / "words.csv").write_text("\n".join(["word,sense,sentence", *rows]))
    folder = write_tiny(tmp_path / "tiny")
    record = senses(models=(str(folder),), data=(str(tmp_path / "words.csv"),), draws=100, words=0)
    assert record.finding("warning.long_texts.tiny").numbers == {"windowed": 1, "texts": 60, "limit": 24}
    assert "warning.long_texts" in json.dumps([finding.name for finding in record.warnings])
