"""Settings that cannot be are refused when they are made."""

import pytest

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
