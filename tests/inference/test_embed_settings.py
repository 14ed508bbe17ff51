"""Settings that cannot be are refused when they are made."""

import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.inference.embed_settings import EmbedSettings


def test_long_texts_are_read_in_windows_unless_it_is_said_otherwise():
    assert EmbedSettings().reads_long == "window"
    assert EmbedSettings(long_texts="cut").reads_long == "cut"


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"engine": "rays"}, "no engine 'rays'; did you mean 'ray'?"), ({"threads": 0}, "`threads` 0 is out of range")],
)
def test_what_cannot_be_is_refused(settings, words):
    with pytest.raises(BadInput) as error:
        EmbedSettings(**settings)
    assert words in str(error.value)


def test_parts_of_a_static_table_are_larger_than_those_of_an_encoder(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\n")
    write_tiny(tmp_path / "encoder")
    assert EmbedSettings(model=str(tmp_path / "table.txt")).part_size == 8192
    assert EmbedSettings(model=str(tmp_path / "encoder")).part_size == 512
    assert EmbedSettings(model="no-such-model", rows=3).part_size == 3


def test_an_earlier_run_goes_on_in_parts_of_its_size():
    settings = EmbedSettings(model="no-such-model")
    assert settings.resuming(None, {"rows": "100"}, {"rows": "200"}).part_size == 100
    assert EmbedSettings(rows=3).resuming({"rows": "100"}).part_size == 3
    assert settings.resuming(None, {}, {"rows": "many"}) == settings
